import { check } from '../../harness/check.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { changesEvents } from '../../harness/faults/events.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { expectSeconds } from '../support/moments.ts';
import { kindOf } from './support/event.ts';
import { shortRun } from './support/short-run.ts';

const hourS = 3_600;

check(
  'events.time-seconds',
  {
    faults: [
      changesEvents('tells times that are an hour late', (event) => ({ ...event, time: Number(event.time) + hourS })),
      changesEvents('tells times in milliseconds', (event) => ({ ...event, time: Number(event.time) * 1_000 })),
    ],
  },
  async ({ use }) => {
    const { events, exchange, inspect } = await use(shortRun);
    const create = events.find((event) => kindOf(event) === 'create');
    if (!create) throw new Blocked('create of the container was not told');
    expectSeconds('time of create', create.time, valuesAt(inspect.json, 'Created')[0], [inspect, exchange]);
  },
);

const nanosecondsInSecond = 1_000_000_000n;

/** The second that a number of nanoseconds falls in; undefined when it is not such a number. */
function secondOf(nanoseconds: JsonValue | undefined): number | undefined {
  if (typeof nanoseconds === 'bigint') return Number(nanoseconds / nanosecondsInSecond);
  if (typeof nanoseconds !== 'number' || !Number.isInteger(nanoseconds)) return undefined;
  return Number(BigInt(nanoseconds) / nanosecondsInSecond);
}

check(
  'events.timeNano-instant',
  { faults: [changesEvents('counts nanoseconds since it began', (event) => ({ ...event, timeNano: 1_234_567_890 }))] },
  async ({ use }) => {
    const { events, exchange } = await use(shortRun);
    for (const event of events) {
      expectValue(`the second in timeNano of ${kindOf(event)}`, secondOf(event.timeNano), [exchange]).toBe(event.time);
    }
  },
);

check(
  'events.id-of-container',
  {
    faults: [
      changesEvents('shortens identifiers', (event) => ({ ...event, id: String(event.id).slice(0, 12) })),
      changesEvents('has another id', (event) => ({ ...event, id: 'other' })),
    ],
  },
  async ({ use }) => {
    const { container, events, exchange } = await use(shortRun);
    for (const event of events) expectValue(`id of ${kindOf(event)}`, event.id, [exchange]).toBe(container.id);
  },
);

check(
  'events.from-image',
  {
    faults: [
      changesEvents('leaves from empty', (event) => ({ ...event, from: '' })),
      changesEvents('tells another image', (event) => ({ ...event, from: 'other:ec' })),
    ],
  },
  async ({ use }) => {
    const { imageNames, events, exchange, inspect } = await use(shortRun);
    for (const event of events) {
      expectValue(`from of ${kindOf(event)}`, event.from, [inspect, exchange]).toBeOneOf(...imageNames);
    }
  },
);
