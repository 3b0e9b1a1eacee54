import { fixture } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { lookUntil } from '../../../harness/engine/look-until.ts';
import { saying } from '../../../harness/engine/output.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { anotherTime, ifRight } from '../../support/shared-results.ts';

/** What inspect says of a container before and after it was stopped or restarted. */
interface StopOutcome {
  readonly before: Exchange;
  readonly after: Exchange;
  /** How long the operation took, in milliseconds. */
  readonly tookMs: number;
}

/** What comes of a short and of a long wait. */
interface Waits {
  readonly operation: Operation;
  /** The long wait in seconds. */
  readonly patientT: number;
  readonly hasty: StopOutcome;
  readonly patient: StopOutcome;
  /** The container of the short wait, which no check operates on. */
  readonly container: Container;
}

type Operation = 'stop' | 'restart';

/** When a container had ended, or was started again. */
const moments: Readonly<Record<Operation, string>> = { stop: 'State.FinishedAt', restart: 'State.StartedAt' };

const hastyT = 1;
const usualT = 6;
/** Where a busy machine may have taken seconds more for the one than for the other. */
const longerT = 12;

/** What comes of two containers that only SIGKILL ends, which are stopped or restarted at the same time. */
export const afterPatience = {
  stop: fixture('two containers that were killed after a stop', ({ engine }) => waits(engine, 'stop')),
  restart: fixture('two containers that were killed for a restart', ({ engine }) => waits(engine, 'restart')),
};

/** What comes of no wait at all, for the container with the short wait once it runs again, or else for another. */
export const killedAtOnce = {
  stop: fixture('a container that was killed by a stop without a wait', async ({ engine, use }) => {
    const container = (await use(afterPatience.stop)).container.boundTo(engine);
    const { status } = await container.start();
    // Whether a container that has ended is started again is for another rule.
    if (status !== 204) return outcomeOf(engine, await makeDeaf(engine), 'stop', 0);
    await hasBegunAgain(container);
    return outcomeOf(engine, container, 'stop', 0);
  }),
  restart: fixture('a container that was killed for a restart without a wait', async ({ engine, use }) => {
    const container = (await use(afterPatience.restart)).container.boundTo(engine);
    await hasBegunAgain(container);
    return outcomeOf(engine, container, 'restart', 0);
  }),
};

async function waits(engine: Engine, operation: Operation, patientT = usualT): Promise<Waits> {
  const [container, other] = await Promise.all([makeDeaf(engine), makeDeaf(engine)]);
  const [hasty, patient] = await Promise.all([
    outcomeOf(engine, container, operation, hastyT),
    outcomeOf(engine, other, operation, patientT),
  ]);
  return { operation, patientT, hasty, patient, container };
}

async function outcomeOf(engine: Engine, container: Container, operation: Operation, t: number): Promise<StopOutcome> {
  const before = await given(container.inspect(), 200);
  // A daemon that waits for a time of its own gets enough of it to end, so that it can be judged.
  const begun = performance.now();
  await given(engine.post(container.path(operation), { query: { t }, takesMs: 30_000 }), 204);
  const tookMs = performance.now() - begun;
  return { before, after: await given(container.inspect(), 200), tookMs };
}

/** Waits until the process catches signals again: until then any of them may end it, and it would show no wait. */
async function hasBegunAgain(container: Container): Promise<void> {
  const isReadyAgain = ({ output }: Exchange) => output.split('ready\n').length > 2;
  await lookUntil(() => given(container.logs({ stdout: true }), 200), isReadyAgain, beginsMs);
}

/** A running container that only SIGKILL ends. */
export async function makeDeaf(engine: Engine): Promise<Container> {
  const container = await makeContainer(engine, { run: ['catch', 'out', 'ready\\n', 'forever'], state: 'running' });
  await container.hasWritten('ready');
  return container;
}

/** More than times to the second can hide. */
const leastApartMs = 2_000;

/**
 * The container with the shorter wait was killed earlier. The two are compared with each other and not with a clock, so
 * that a slow machine does not matter, and once more with a longer wait where it may have been busy with one of them.
 */
export async function expectHaste(engine: Engine, first: Waits): Promise<void> {
  const { operation } = first;
  const isApart = (one: Waits) => apart(one) >= leastApartMs;
  const seen = ifRight(first, isApart, anotherTime, answersOf) ?? (await waits(engine, operation, longerT));
  const { patient, patientT } = seen;
  expectValue(
    `milliseconds by which ${moments[operation]} is earlier with t=${hastyT} than with t=${patientT}`,
    apart(seen),
    answersOf(seen),
  ).toBeAtLeast(leastApartMs);
  // The end may be reported late, but never early.
  expectValue(`milliseconds until what was to be killed after ${patientT} s was through`, Math.round(patient.tookMs), [
    patient.after,
  ]).toBeAtLeast(patientT * 1_000 - 100);
}

/** More than a process needs to begin, even on a busy machine. */
const beginsMs = 10_000;

/** More than times to the second can hide. */
const slackMs = 3_000;

/**
 * The container with the longer wait was killed soon after it. What the daemon needed for the other one besides its wait
 * shows how slow the machine is, so that this much more is allowed; where it was too late, it is tried once more.
 */
export async function expectKilledSoon(engine: Engine, first: Waits): Promise<void> {
  const { operation } = first;
  const isInTime = (one: Waits) => lateMs(one) <= slackMs;
  const seen = ifRight(first, isInTime, anotherTime, answersOf) ?? (await waits(engine, operation));
  expectValue(
    `milliseconds by which ${moments[operation]} is later than t=${hastyT} and t=${seen.patientT} make it`,
    lateMs(seen),
    answersOf(seen),
  ).toBeAtMost(slackMs);
}

function lateMs(seen: Waits): number {
  return apart(seen) - (seen.patientT - hastyT) * 1_000 - slownessMs(seen);
}

/** The container without a wait was killed as soon as that, at first or when it is tried once more. */
export async function expectKilledAtOnce(engine: Engine, waits: Waits, first: StopOutcome): Promise<void> {
  // Where a stop takes seconds besides its wait, the next one may well take twice as many. How long it took depends on time, and so
  // is no part of what deviates.
  const isSoon = ({ tookMs }: StopOutcome) => tookMs - 2 * slownessMs(waits) <= slackMs;
  const again = async () => outcomeOf(engine, await makeDeaf(engine), waits.operation, 0);
  const seen = ifRight(first, isSoon, anotherTime, ({ after }) => after) ?? (await again());
  expectValue('whether what was to be killed after 0 s was through soon', isSoon(seen), [seen.after]).toBe(true);
}

function answersOf({ hasty, patient }: Waits): readonly Exchange[] {
  return [hasty.after, patient.after];
}

function slownessMs({ hasty }: Waits): number {
  return Math.max(0, Math.round(hasty.tookMs - hastyT * 1_000));
}

/** By how many milliseconds the container with the shorter wait had ended, or was started again, earlier. */
function apart(waits: Waits): number {
  const [early, late] = answersOf(waits).map(({ json }) =>
    Date.parse(String(valuesAt(json, moments[waits.operation])[0])),
  );
  return Number(late) - Number(early);
}

/** A container that was stopped with a long wait and ended by itself some time after its signal, with the code 7. */
export const stoppedByItself = fixture('a container that ends by itself after a stop', async ({ engine }) => {
  const slow = ['catch', 'out', 'ready\\n', 'wait-signal', 'sleep', '1000', 'exit', '7'];
  const container = await makeContainer(engine, { run: slow, state: 'running' });
  await container.hasWritten('ready');
  await given(container.stop({ t: 30 }), 204);
  const inspect = await given(container.inspect(), 200);
  const log = await given(container.logs({ stdout: true }, saying('signal ')), 200);
  return { inspect, log };
});
