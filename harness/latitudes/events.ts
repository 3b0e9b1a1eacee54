import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { withBody } from '../faults/answers.ts';
import { type JsonValue, writeJson } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import type { WireHead, WireRequest } from '../transport/wire.ts';
import { endpointOf } from './described-objects.ts';
import { eachObjectAs, objectsAs } from './json-bodies.ts';
import type { Latitude } from './latitude.ts';

const lateMs = 120;

/** Which events are sent, and when. */
export const ofEvents: readonly Latitude[] = [
  {
    name: 'further-event-kinds',
    says: 'sends events of a kind that the documents do not name',
    area: 'events',
    ground: { interpretation: 'open-objects', because: 'nothing forbids further kinds of events' },
    answer: (answer, request) => {
      const told = isOfAllEvents(answer, request) ? objectsAs(answer.body, eventAndFurther) : undefined;
      return told === undefined ? answer : withBody(answer, Buffer.from(told));
    },
    incoming: (head, request) => (isOfAllEvents(head, request) ? eachObjectAs(eventAndFurther) : undefined),
  },
  {
    name: 'late-events',
    says: `sends events ${lateMs} ms after they happened`,
    area: 'events',
    ground: { notShown: 'nothing says how soon an event is sent' },
    incoming: (_head, request) => (endpointOf(request) === 'GET /events' ? new Late() : undefined),
  },
];

/** A client with filters does not get events that its filters exclude. */
function isOfAllEvents({ status }: WireHead, request: WireRequest): boolean {
  return status === 200 && endpointOf(request) === 'GET /events' && !/[?&]filters=/.test(request.path);
}

const other = 'f'.repeat(64);

/** An event, and a further one at the same time in the format of the daemon's own. */
function eventAndFurther(event: JsonValue): string {
  if (!isObject(event)) return writeJson(event);
  const further = {
    ...event,
    ...('status' in event && { status: 'considered' }),
    ...('Action' in event && { Action: 'considered' }),
    ...('id' in event && { id: other }),
    ...('from' in event && { from: 'other:latest' }),
    ...('Actor' in event && { Actor: { ID: other, Attributes: {} } }),
  };
  return `${writeJson(event)}\n${writeJson(further)}\n`;
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
