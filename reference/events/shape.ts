import { stringify } from 'lossless-json';
import type { ApiVersion } from '../../specs/versions.ts';
import { atLeast } from '../../specs/versions.ts';
import { seconds } from '../clock.ts';
import { wireImageId } from '../images/shapes.ts';
import type { EngineEvent } from './bus.ts';

/** An event as JSON text in a version; undefined for an event that the version does not have. */
export function eventText(event: EngineEvent, api: ApiVersion): string | undefined {
  const newest = atLeast(api, '1.23');
  const { type, action, attributes } = event;
  const id = type === 'image' && /^[0-9a-f]{64}$/.test(event.id) ? wireImageId(event.id, api) : event.id;
  if (!newest && (type === 'volume' || type === 'network')) return undefined;
  // Since 1.52 there are only Type, Action and Actor (Document 4).
  const legacy = atLeast(api, '1.52')
    ? {}
    : {
        ...(type === 'network' ? {} : { status: action }),
        ...(type === 'container' || type === 'image' ? { id } : {}),
        ...(type === 'container' ? { from: attributes.image ?? '' } : {}),
      };
  const actor = newest ? { Type: type, Action: action, Actor: { ID: id, Attributes: attributes } } : {};
  const nano = atLeast(api, '1.21') ? { timeNano: event.time } : {};
  return stringify({ ...legacy, ...actor, time: seconds(event.time), ...nano });
}
