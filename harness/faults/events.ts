import { PassThrough, Transform } from 'node:stream';
import { type JsonValue, writeJson } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import { ObjectDecoder } from '../streams/objects.ts';
import type { Fault } from './fault.ts';
import { heldBack } from './streams.ts';

type Event = Readonly<Record<string, JsonValue>>;

/** Whether an event is of this kind and type. Older versions have no types. */
function isOf(event: Event, type: string, kind: string): boolean {
  const told = String(event.Action ?? event.status).split(':')[0];
  return told === kind && (event.Type === undefined || event.Type === type);
}

/** Never sends events of one kind: `losesEvents('container', 'start')`. */
export function losesEvents(type: string, kind: string): Fault {
  return changesEvents(`never tells ${kind} of a ${type}`, (event) => (isOf(event, type, kind) ? undefined : event));
}

/** Loses every nth event of one kind of each object. */
export function losesEveryNth(type: string, kind: string, nth: number): Fault {
  return withEvents(`loses one of ${nth} events ${kind} of each ${type}`, () => {
    const counts = new Map<JsonValue | undefined, number>();
    return (event) => {
      if (!isOf(event, type, kind)) return [event];
      const count = (counts.get(event.id) ?? 0) + 1;
      counts.set(event.id, count);
      return count % nth === 0 ? [] : [event];
    };
  });
}

/** Sends each event only to the first client that it reaches. */
export function tellsOneListener(): Fault {
  const told = new Set<string>();
  return changesEvents('tells each event to one client only', (event) => {
    const text = writeJson({ ...event });
    if (told.has(text)) return undefined;
    told.add(text);
    return event;
  });
}

/** Sends container events of one kind only after one of another kind. */
export function tellsAfter(later: string, earlier: string): Fault {
  return withEvents(`tells ${later} of a container after ${earlier}`, () => {
    const held = new Map<JsonValue | undefined, Event>();
    return (event) => {
      const { id } = event;
      const first = held.get(id);
      if (isOf(event, 'container', later)) {
        held.set(id, event);
        return [];
      }
      if (!first || !isOf(event, 'container', earlier)) return [event];
      held.delete(id);
      return [event, first];
    };
  });
}

/** Ends a stream with `since` after the past events. */
export function endsAfterThePast(): Fault {
  return {
    name: 'ends once it has told of the past',
    on: 'GET /events',
    incoming: ({ path }) => {
      if (!path.includes('since=')) return new PassThrough();
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          if (!this.readableEnded) this.push(chunk);
          this.push(null);
          done();
        },
      });
    },
  };
}

/** Changes each event as it comes; undefined loses it. */
export function changesEvents(name: string, change: (event: Event) => Event | undefined): Fault {
  return withEvents(name, () => (event) => {
    const changed = change(event);
    return changed ? [changed] : [];
  });
}

/** Leaves an attribute out of the events of one type. */
export function dropsAttribute(type: string, attribute: string): Fault {
  return changesEvents(`leaves the attribute ${attribute} out`, (event) => {
    const { Actor } = event;
    if (event.Type !== type || !isObject(Actor) || !isObject(Actor.Attributes)) return event;
    const { [attribute]: _dropped, ...Attributes } = Actor.Attributes;
    return { ...event, Actor: { ...Actor, Attributes } };
  });
}

/** Sends nothing before the stream ends. */
export function holdsEventsBack(): Fault {
  return {
    name: 'tells nothing before the stream ends',
    on: 'GET /events',
    incoming: () => heldBack(),
  };
}

/** What replaces each event on one stream. */
function withEvents(name: string, onStream: () => (event: Event) => readonly Event[]): Fault {
  return {
    name,
    on: 'GET /events',
    incoming: () => {
      const decoder = new ObjectDecoder();
      const replace = onStream();
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          for (const { value } of decoder.push(chunk)) {
            for (const event of isObject(value) ? replace(value) : []) this.push(`${writeJson(event)}\n`);
          }
          done();
        },
      });
    },
  };
}
