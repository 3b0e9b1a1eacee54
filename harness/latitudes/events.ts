import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { withBody } from '../faults/answers.ts';
import { type JsonValue, parseJson, writeJson } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import type { WireHead, WireRequest } from '../transport/wire.ts';
import { endpointOf } from './described-objects.ts';
import { eachObjectAs, objectsAs } from './json-bodies.ts';
import type { Latitude } from './latitude.ts';

const lateMs = 120;
const unheardMs = 60;

/** Which events are sent, and when. */
export const ofEvents: readonly Latitude[] = [
  {
    name: 'further-event-kinds',
    says: 'sends events of a kind that the documents do not name',
    area: 'events',
    ground: { interpretation: 'open-objects', because: 'nothing forbids further kinds of events' },
    answer: (answer, request) => {
      const told = isOfAllEvents(answer, request) ? objectsAs(answer.body, keptAndOther) : undefined;
      return told === undefined ? answer : withBody(answer, Buffer.from(told));
    },
    incoming: (head, request) => {
      if (!isOfAllEvents(head, request)) return undefined;
      return eachObjectAs(/[?&]until=/.test(request.path) ? keptAndOther : toldAndFurther);
    },
  },
  {
    name: 'late-events',
    says: `sends events ${lateMs} ms after they happened`,
    area: 'events',
    ground: { notShown: 'nothing says how soon an event is sent' },
    incoming: (_head, request) => (endpointOf(request) === 'GET /events' ? new Late() : undefined),
  },
  {
    name: 'late-listening',
    says: `sends nothing that happens in the first ${unheardMs} ms after the head of its answer`,
    area: 'events',
    ground: { notShown: 'nothing says from when on a stream has what happens' },
    incoming: (head, request) => {
      const isOfNow =
        head.status === 200 && endpointOf(request) === 'GET /events' && !/[?&](since|until)=/.test(request.path);
      return isOfNow ? eachObjectAs(heardFrom(performance.now() + unheardMs)) : undefined;
    },
  },
  {
    name: 'event-filters-by-identifier',
    says: 'finds containers and networks by their identifiers only, where a filter of events names them',
    area: 'events',
    ground: { notShown: 'nothing says which strings name an object in a filter of events' },
    request: (request) => (endpointOf(request) === 'GET /events' ? withoutNames(request) : request),
  },
  {
    name: 'other-network-types',
    says: 'has types of networks of its own in events',
    area: 'events',
    ground: { notShown: 'nothing says how the type of a network is written' },
    of: 'GET /events',
    json: (event) => {
      if (!isObject(event) || !isObject(event.Actor) || !isObject(event.Actor.Attributes)) return event;
      const { Actor } = event;
      const { Attributes } = Actor;
      if (!isObject(Attributes) || event.Type !== 'network' || typeof Attributes.type !== 'string') return event;
      return { ...event, Actor: { ...Actor, Attributes: { ...Attributes, type: `own-${Attributes.type}` } } };
    },
  },
];

/** Replaces the names of containers and networks in the filters by one that nothing has. */
function withoutNames(request: WireRequest): WireRequest {
  const url = new URL(request.path, 'http://engine');
  const asked = filtersIn(url);
  if (!isObject(asked)) return request;
  const changed = Object.entries(asked).map(([filter, values]) => {
    const isNamed = (filter === 'container' || filter === 'network') && Array.isArray(values);
    return [filter, isNamed ? values.map((value) => (isIdentifier(value) ? value : 'ec-unknown')) : values];
  });
  url.searchParams.set('filters', writeJson(Object.fromEntries(changed)));
  return { ...request, path: `${url.pathname}${url.search}` };
}

/** @returns undefined for anything that is not JSON */
function filtersIn(url: URL): JsonValue | undefined {
  try {
    return parseJson(url.searchParams.get('filters') ?? '');
  } catch {
    return undefined;
  }
}

function isIdentifier(value: JsonValue): boolean {
  return /^[0-9a-f]{64}$/.test(String(value));
}

/** A client with filters does not get events that its filters exclude. */
function isOfAllEvents({ status }: WireHead, request: WireRequest): boolean {
  return status === 200 && endpointOf(request) === 'GET /events' && !/[?&]filters=/.test(request.path);
}

type EventObject = { readonly [name: string]: JsonValue };

const other = 'f'.repeat(64);

/** A kept event, and one of a further kind about something else, in the format of the daemon's own. */
function keptAndOther(event: JsonValue): string {
  return isObject(event) ? linesOf(event, aboutOther(considered(event))) : linesOf(event);
}

/** An event as it happens, with another about the same thing besides, which is not kept. */
function toldAndFurther(event: JsonValue): string {
  if (!isObject(event)) return linesOf(event);
  const further = considered(event);
  return linesOf(event, further, aboutOther(further));
}

function linesOf(...events: readonly JsonValue[]): string {
  return events.map((event) => `${writeJson(event)}\n`).join('');
}

/** @param ms in terms of `performance.now()` */
function heardFrom(ms: number): (event: JsonValue) => string {
  return (event) => (performance.now() < ms ? '' : linesOf(event));
}

/** The same of a further kind. Which attributes it has, nothing says. */
function considered(event: EventObject): EventObject {
  return {
    ...event,
    ...('status' in event && { status: 'considered' }),
    ...('Action' in event && { Action: 'considered' }),
    ...(isObject(event.Actor) && { Actor: { ...event.Actor, Attributes: {} } }),
  };
}

function aboutOther(event: EventObject): EventObject {
  return {
    ...event,
    ...('id' in event && { id: other }),
    ...('from' in event && { from: 'other:latest' }),
    ...(isObject(event.Actor) && { Actor: { ...event.Actor, ID: other } }),
  };
}

/** Delays each piece. */
class Late extends Transform {
  #last: Promise<void> = Promise.resolve();

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#last = delay(lateMs).then(() => {
      if (!this.destroyed) this.push(chunk);
    });
    done();
  }

  override _flush(done: () => void): void {
    void this.#last.then(done);
  }
}
