import type { ApiVersion } from '../../specs/versions.ts';
import { atLeast } from '../../specs/versions.ts';
import { seconds } from '../clock.ts';
import { wireImageId } from '../images/shapes.ts';
import type { EngineEvent } from './bus.ts';

/** The texts of the newest event that was sent: all who listen get it one after another. */
let newest: { readonly event: EngineEvent; readonly texts: Map<ApiVersion, string | undefined> } | undefined;

/** An event as JSON text in a version; undefined for an event that the version does not have. */
export function eventText(event: EngineEvent, api: ApiVersion): string | undefined {
  if (newest?.event !== event) newest = { event, texts: new Map() };
  const { texts } = newest;
  if (!texts.has(api)) texts.set(api, textOf(event, api));
  return texts.get(api);
}

function textOf(event: EngineEvent, api: ApiVersion): string | undefined {
  const hasActor = atLeast(api, '1.23');
  const { type, action, attributes } = event;
  const id = type === 'image' && /^[0-9a-f]{64}$/.test(event.id) ? wireImageId(event.id, api) : event.id;
  if (!hasActor && (type === 'volume' || type === 'network')) return undefined;
  const shown: Record<string, unknown> = {};
  // Since 1.52 there are only Type, Action and Actor (Document 4).
  if (!atLeast(api, '1.52')) {
    if (type !== 'network') shown.status = action;
    if (type === 'container' || type === 'image') shown.id = id;
    if (type === 'container') shown.from = attributes.image ?? '';
  }
  if (hasActor) {
    shown.Type = type;
    shown.Action = action;
    shown.Actor = { ID: id, Attributes: attributes };
  }
  shown.time = seconds(event.time);
  const text = JSON.stringify(shown);
  // Nanoseconds are beyond what a double holds.
  return atLeast(api, '1.21') ? `${text.slice(0, -1)},"timeNano":${event.time}}` : text;
}
