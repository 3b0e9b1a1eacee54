import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { settled } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { endsAfterThePast } from '../../harness/faults/events.ts';
import { onlyFor } from '../../harness/faults/fault.ts';
import { ignoresFilter, ignoresQuery } from '../../harness/faults/requests.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { doneOnce } from '../support/done-once.ts';
import { type Event, isAbout, kindOf } from './support/event.ts';
import { listen, listenWith } from './support/listen.ts';
import type { Listener } from './support/listener.ts';

/** A stream that must end by itself has ended this long after its `until`, or never does. */
const endsWithinMs = 15_000;

function of({ id }: Container): (event: Event) => boolean {
  return (event) => isAbout(event, id);
}

interface Made {
  readonly container: Container;
  /** When the daemon created it, in Unix seconds of the daemon's clock. */
  readonly time: number;
  /** How long it took until its event came, in seconds. */
  readonly took: number;
}

async function madeAt(engine: Engine): Promise<Made> {
  const started = performance.now();
  const listener = await listen(engine);
  const container = await makeContainer(engine);
  await settled(listener.needs('create', of(container)), 'waiting for an event');
  listener.live.drop();
  const took = (performance.now() - started) / 1_000;
  return { container, time: Number(listener.events.find(of(container))?.time), took };
}

async function expectEnd({ live }: Listener, untilMs = 0): Promise<void> {
  expectValue('whether the stream ended by itself', await live.endsWithin(untilMs + endsWithinMs), [live]).toBe(true);
}

function expectTold(listener: Listener, what: string, container: Container, told: boolean): void {
  expectValue(`whether ${what} has the event`, listener.events.some(of(container)), [listener.live]).toBe(told);
}

const isRemoval = (event: Event) => kindOf(event) === 'destroy';

/** What came since a container was made, with a filter that only the removal of a later one passes, and without. */
const sinceThen = doneOnce('the events since a container was made', async ({ engine }) => {
  const { container, time } = await madeAt(engine);
  const listener = await listen(engine, { since: time });
  const opening = await listenWith(engine, { event: ['destroy'] }, { since: time });
  const later = await makeContainer(engine);
  const goesOn = await listener.hearsInTime(of(later));
  await later.remove();
  return { container, later, listener, goesOn, opening };
});

check('events.since', { faults: [ignoresQuery('since'), endsAfterThePast()] }, async (context) => {
  const { container, listener, goesOn } = await sinceThen(context);
  expectTold(listener, 'the stream since then', container, true);
  expectValue('whether a later event came', goesOn, [listener.live]).toBe(true);
});

const isSince = ({ path }: { readonly path: string }) => path.includes('since=');
const ignoredWithSince = onlyFor(isSince, ignoresFilter('event'), 'ignores the filter event with since');

check('events.filters-with-since', { faults: [ignoredWithSince] }, async (context) => {
  const { container, later, listener, opening } = await sinceThen(context);
  const isLast = (event: Event) => isRemoval(event) && of(later)(event);
  // Whether a removal is told at all, another rule judges.
  const isTold = await listener.hearsInTime(isLast);
  if (!isTold && !(await opening.begins()))
    throw new Blocked('no removal is told, so nothing passed the filter, and the head may come with the first event');
  const filtered = await opening.listener;
  expect(filtered.live).toHaveStatus(200);
  const hasCome = isTold && (await filtered.hears(isLast));
  const others = filtered.about(container.id, later.id).filter((event) => !isRemoval(event));
  expectValue('the kinds of events that do not pass the filter', others.map(kindOf), [filtered.live]).toBe([]);
  expectValue('whether the event that passes the filter came', hasCome, [filtered.live]).toBe(isTold);
});

/**
 * The minimum durations, in seconds, of the stream during which a container is made; a busy daemon needs a longer one.
 */
const windows = [3, 6, 12];

interface Until {
  readonly listener: Listener;
  readonly container: Container;
  /** Whether the container was there before the end of the window for sure. */
  readonly inTime: boolean;
}

/** A stream that ended by itself, and a container that was made while it was open. */
async function listenUntil(engine: Engine, leastS: number): Promise<Until> {
  const started = performance.now();
  const { time, took } = await madeAt(engine);
  // A slow daemon needs as long again within the window as it has just taken.
  const seconds = leastS + Math.ceil(2 * took);
  const listener = await listen(engine, { until: time + seconds });
  const container = await makeContainer(engine);
  // `time` is a whole second, which may be nearly over at its event.
  const inTime = performance.now() - started <= (seconds - 1) * 1_000;
  await expectEnd(listener, seconds * 1_000);
  return { listener, container, inTime };
}

/** @throws Blocked when the daemon is so slow that each window was over before a container was made */
async function expectToldUntil(engine: Engine): Promise<void> {
  for (const seconds of windows) {
    const { listener, container, inTime } = await listenUntil(engine, seconds);
    const told = listener.events.some(of(container));
    if (!told && seconds !== windows.at(-1)) continue;
    if (!told && !inTime) throw new Blocked('the stream had ended before the container was made');
    expectTold(listener, 'the stream until then', container, true);
    return;
  }
}

check('events.until', { long: true, faults: [ignoresQuery('until')] }, async ({ engine }) => {
  await expectToldUntil(engine);
  const { container, time } = await madeAt(engine);
  const past = await listen(engine, { until: time - 3600 });
  await expectEnd(past);
  expectTold(past, 'the stream until an hour before', container, false);
});

/** How often to ask for a window in the past. */
const timesAsked = 5;

check(
  'events.since-until',
  { long: true, faults: [ignoresQuery('since'), ignoresQuery('until')] },
  async ({ engine }) => {
    const { container, time } = await madeAt(engine);
    const bounds = { since: time, until: time + 1 };
    const open = await listen(engine, bounds);
    await expectEnd(open, 1_000);
    expectTold(open, 'a window around it', container, true);
    // Requested once it is past, and repeatedly: a daemon may lose a race against its own end of the window.
    for (let asked = 0; asked < timesAsked; asked++) {
      const closed = await listen(engine, bounds);
      await expectEnd(closed);
      expectTold(closed, 'a window around it', container, true);
    }
    const after = await listen(engine, { since: time + 1, until: time + 2 });
    await expectEnd(after, 2_000);
    expectTold(after, 'a window after it', container, false);
    const before = await listen(engine, { since: time - 7200, until: time - 3600 });
    await expectEnd(before);
    expectTold(before, 'a window long before', container, false);
  },
);
