import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given, settled } from '../../harness/engine/given.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { valuesAt } from '../../harness/expect/json-path.ts';
import { endsAfterThePast } from '../../harness/faults/events.ts';
import { ignoresQuery } from '../../harness/faults/requests.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { type Event, isAbout } from './event.ts';
import { type Listener, listen } from './listener.ts';

/** A stream that is to end by itself has ended this long after its `until`, or never does. */
const endsWithinMs = 5_000;

function of({ id }: Container): (event: Event) => boolean {
  return (event) => isAbout(event, id);
}

/** Makes a container and says when the daemon made it, in its own UNIX seconds. */
async function madeAt(engine: Engine): Promise<{ container: Container; time: number }> {
  const listener = await listen(engine);
  const container = await makeContainer(engine);
  await settled(listener.needs('create', of(container)), 'waiting for an event');
  listener.live.drop();
  return { container, time: Number(listener.events.find(of(container))?.time) };
}

async function expectEnd({ live }: Listener, untilMs = 0): Promise<void> {
  expectValue('whether the stream ended by itself', await live.endsWithin(untilMs + endsWithinMs), [live]).toBe(true);
}

function expectTold(listener: Listener, what: string, container: Container, told: boolean): void {
  expectValue(`whether ${what} has the event`, listener.events.some(of(container)), [listener.live]).toBe(told);
}

check('events.since', { faults: [ignoresQuery('since'), endsAfterThePast()] }, async ({ engine }) => {
  const { container, time } = await madeAt(engine);
  const listener = await listen(engine, { since: time });
  const later = await makeContainer(engine);
  const goesOn = await listener.hearsInTime(of(later));
  expectTold(listener, 'the stream since then', container, true);
  expectValue('whether a later event came', goesOn, [listener.live]).toBe(true);
});

/** Whether a stream until so many seconds from now tells of a container that is made meanwhile, when that was in time. */
async function listenUntil(engine: Engine, seconds: number): Promise<boolean> {
  const { time } = await madeAt(engine);
  const listener = await listen(engine, { until: time + seconds });
  const container = await makeContainer(engine);
  const inspect = await given(container.inspect(), 200);
  await expectEnd(listener, seconds * 1_000);
  const told = listener.events.some(of(container));
  // A busy daemon may have made it too late.
  const made = Date.parse(String(valuesAt(inspect.json, 'Created')[0])) / 1_000;
  if (told || made < time + seconds - 2) expectTold(listener, 'the stream until then', container, true);
  return told;
}

check('events.until', { faults: [ignoresQuery('until')] }, async ({ engine }) => {
  const inTime = (await listenUntil(engine, 3)) || (await listenUntil(engine, 20));
  if (!inTime) throw new Blocked('the container was made too late');
  const { container, time } = await madeAt(engine);
  const past = await listen(engine, { until: time - 3600 });
  await expectEnd(past);
  expectTold(past, 'the stream until an hour before', container, false);
});

check('events.since-until', { faults: [ignoresQuery('since'), ignoresQuery('until')] }, async ({ engine }) => {
  const { container, time } = await madeAt(engine);
  const bounds = { since: time, until: time + 1 };
  const open = await listen(engine, bounds);
  await expectEnd(open, 1_000);
  expectTold(open, 'a window around it', container, true);
  // Asked for when it is over.
  const closed = await listen(engine, bounds);
  await expectEnd(closed);
  expectTold(closed, 'a window around it', container, true);
  const after = await listen(engine, { since: time + 1, until: time + 2 });
  await expectEnd(after, 2_000);
  expectTold(after, 'a window after it', container, false);
  const before = await listen(engine, { since: time - 7200, until: time - 3600 });
  await expectEnd(before);
  expectTold(before, 'a window long before', container, false);
});
