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
  // Since 1.52 there are only Type, Action and Actor (Document 4).
  const legacy = atLeast(api, '1.52')
    ? {}
    : {
        ...(type === 'network' ? {} : { status: action }),
        ...(type === 'container' || type === 'image' ? { id } : {}),
        ...(type === 'container' ? { from: attributes.image ?? '' } : {}),
      };
  const actor = hasActor ? { Type: type, Action: action, Actor: { ID: id, Attributes: attributes } } : {};
  const text = JSON.stringify({ ...legacy, ...actor, time: seconds(event.time) });
  // Nanoseconds are beyond what a double holds.
  return atLeast(api, '1.21') ? `${text.slice(0, -1)},"timeNano":${event.time}}` : text;
}
