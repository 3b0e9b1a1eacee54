import type { Engine } from '../../harness/engine/engine.ts';
import { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { filters, type Query } from '../../harness/engine/query.ts';
import { isObject } from '../../harness/expect/json-path.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { ObjectDecoder, ObjectViolation } from '../../harness/streams/objects.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';

export type Event = Record<string, JsonValue>;

/** Opens the event stream. @throws Blocked when it does not open */
export function listen(engine: Engine, query: Query = {}): Promise<LiveExchange> {
  return given(engine.open('GET', '/events', { query }), 200);
}

/** Opens the event stream with filters. */
export function listenFor(engine: Engine, map: Readonly<Record<string, readonly string[]>>): Promise<LiveExchange> {
  return listen(engine, { filters: filters(map) });
}

/** The events in the bytes of a stream so far. @throws Deviation when they are no objects one after another */
export function eventsIn(bytes: Buffer): Event[] {
  try {
    const objects = new ObjectDecoder().push(bytes);
    return objects.map(({ value }) => value).filter(isObject);
  } catch (error) {
    if (error instanceof ObjectViolation) throw new Deviation('JSON objects one after another', error.message);
    throw error;
  }
}

/** The kind of an event: what stands before a command line (interpretation `event-text`). */
export function kindOf({ Action, status }: Event): string {
  return String(Action ?? status).split(':')[0] ?? '';
}

/** Whether an event tells of the thing with one of these identifiers or names. */
export function isAbout(event: Event, ...refs: readonly string[]): boolean {
  const id = isObject(event.Actor) ? event.Actor.ID : event.id;
  return refs.includes(String(id ?? event.id));
}

/** Waits for an event. @throws TransportError when it does not come */
export async function told(live: LiveExchange, what: string, wanted: (event: Event) => boolean): Promise<Event[]> {
  return eventsIn(await live.receivedUntil(`the event ${what}`, (bytes) => eventsIn(bytes).some(wanted)));
}

/** Events of a stream as an exchange to be judged. */
export function asExchange(engine: Engine, { id, request, status }: LiveExchange, events: Event[]): Exchange {
  const head = { status, headers: [], body: Buffer.alloc(0) };
  return new Exchange(id, request, head, engine.target.dialect).narrowedTo(events);
}
