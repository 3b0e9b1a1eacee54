import { type CheckContext, check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given, settled } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { holdsEventsBack, losesEveryNth, tellsOneListener } from '../../harness/faults/events.ts';
import { separatesObjects } from '../../harness/faults/objects.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { ifThere } from '../support/shared-results.ts';
import { type Event, isAbout, kindOf } from './support/event.ts';
import { listen, listenUnjudged } from './support/listen.ts';
import type { Listener } from './support/listener.ts';

/**
 * A stream, whatever its status, that has carried an event of a container: proof that the daemon does not just answer
 * anything.
 */
async function openAndTold(engine: Engine): Promise<LiveExchange> {
  const listener = await listenUnjudged(engine);
  const container = await makeContainer(engine);
  const own = (event: Event) => isAbout(event, container.id);
  await settled(listener.needs('of a container that is made', own), 'waiting for an event');
  return listener.live;
}

const opened = fixture('a stream of events that has told of a container', ({ engine }) => openAndTold(engine));

async function streamOf({ engine, use }: Pick<CheckContext, 'engine' | 'use'>): Promise<LiveExchange> {
  return (await ifThere(use(opened))) ?? openAndTold(engine);
}

check('events.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await streamOf(context)).toHaveStatus(200);
});

check('events.media-type', { faults: [setsHeader('Content-Type', 'text/plain')] }, async (context) => {
  expect(await streamOf(context)).toHaveMediaType('application/json');
});

check('events.chunked', { faults: [dropsHeader('Transfer-Encoding')] }, async (context) => {
  expect(await streamOf(context)).toHaveHeader('Transfer-Encoding', 'chunked');
});

check('events.objects-in-a-row', { faults: [separatesObjects(',')] }, async ({ engine }) => {
  const listener = await listen(engine);
  const containers = [await makeContainer(engine), await makeContainer(engine)];
  for (const container of containers) {
    await given(container.remove(), 204);
    const told = await listener.hearsInTime((event) => isAbout(event, container.id));
    expectValue('whether an event of each container came', told, [listener.live]).toBe(true);
  }
});

check('events.real-time', { faults: [holdsEventsBack()], slowToFail: true }, async ({ engine }) => {
  const listener = await listen(engine);
  const container = await makeContainer(engine);
  const told = await listener.hears((event) => isAbout(event, container.id));
  expectValue('whether an event of the container came while the stream went on', told, [listener.live]).toBe(true);
  expectValue('whether the stream has ended', listener.live.ended, [listener.live]).toBe(false);
});

check('events.several-listeners', { faults: [tellsOneListener()], slowToFail: true }, async ({ engine }) => {
  const [one, gone, other] = await Promise.all([listen(engine), listen(engine), listen(engine)]);
  const containers = [];
  for (let count = 0; count < 4; count++) {
    // The last two are made after one of the clients has disconnected.
    if (count === 2) gone.live.drop();
    containers.push(await makeContainer(engine));
  }
  for (const listener of [one, other]) {
    for (const { id } of containers) {
      const told = await listener.hearsInTime((event) => kindOf(event) === 'create' && isAbout(event, id));
      expectValue('whether create of each container came', told, [listener.live]).toBe(true);
    }
  }
});

/** Whether a time in nanoseconds is more precise than microseconds. */
function isFine(timeNano: JsonValue): boolean {
  return (typeof timeNano === 'number' || typeof timeNano === 'bigint') && BigInt(timeNano) % 1000n !== 0n;
}

/** How many containers are renamed at once, so that events come faster than answers to one client. */
const lanes = 4;
/** How often each is renamed: the newest version sees a long burst, the others a short one. */
const renames = { newest: 16, older: 6 } as const;
/** A slow daemon gets fewer operations. */
const burstMs = 10_000;

/** Renames a container again and again. @returns how often */
async function burst(engine: Engine, container: Container, operations: number): Promise<number> {
  const names = [engine.name('container'), engine.name('container')];
  const deadline = Date.now() + burstMs;
  let count = 0;
  for (; count < operations && Date.now() < deadline; count++) {
    await given(container.rename(String(names[count % 2])), 204);
  }
  return count;
}

/** How many renames of a container a listener was told of. */
function toldRenames(listener: Listener, container: Container): number {
  const own = listener.about(container.id).filter((event) => kindOf(event) === 'rename');
  // A repeated event counts as one operation; with coarse times, two operations can have the same time.
  const times = own.map(({ timeNano }) => timeNano).filter((time) => time !== undefined);
  return times.some(isFine) ? new Set(times).size : own.length;
}

// Under the fault each container loses an event in every version, however many others rename theirs at the same time.
check(
  'events.none-lost',
  { faults: [losesEveryNth('container', 'rename', renames.older)] },
  async ({ engine, target }) => {
    const listener = await listen(engine);
    const containers = await Promise.all(Array.from({ length: lanes }, () => makeContainer(engine)));
    const each = engine.api === target.serves.at(-1) ? renames.newest : renames.older;
    const counts = await Promise.all(containers.map((container) => burst(engine, container, each)));
    const count = counts.reduce((all, one) => all + one, 0);
    let counted = { among: 0, told: 0 };
    // Counted anew only when something has come.
    const told = () => {
      const among = listener.events.length;
      if (among === counted.among) return counted.told;
      counted = { among, told: containers.reduce((all, one) => all + toldRenames(listener, one), 0) };
      return counted.told;
    };
    await listener.hearsInTime(() => told() >= count);
    expectValue(`events rename after ${count} of them`, told(), [listener.live]).toBeAtLeast(count);
  },
);
