import { fixture } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';

/** What inspect says of a container before and after it was stopped or restarted. */
interface StopOutcome {
  readonly before: Exchange;
  readonly after: Exchange;
  /** How long the operation took, in milliseconds. */
  readonly tookMs: number;
}

/** What comes of a short and of a long wait. */
interface Waits {
  readonly hasty: StopOutcome;
  readonly patient: StopOutcome;
}

const hastyT = 1;
const patientT = 6;

/** What comes of two containers that only SIGKILL ends, which are stopped or restarted at the same time. */
export const afterPatience = {
  stop: fixture('two containers that were killed after a stop', ({ engine }) => waits(engine, 'stop')),
  restart: fixture('two containers that were killed for a restart', ({ engine }) => waits(engine, 'restart')),
};

async function waits(engine: Engine, operation: 'stop' | 'restart'): Promise<Waits> {
  const containers = await Promise.all([makeDeaf(engine), makeDeaf(engine)]);
  const outcomeOf = async (container: Container, t: number): Promise<StopOutcome> => {
    const before = await given(container.inspect(), 200);
    // A daemon that waits for a time of its own gets enough of it to end, so that it can be judged.
    const begun = performance.now();
    await given(engine.post(container.path(operation), { query: { t }, boundMs: 60_000 }), 204);
    const tookMs = performance.now() - begun;
    return { before, after: await given(container.inspect(), 200), tookMs };
  };
  const [hasty, patient] = await Promise.all([outcomeOf(containers[0], hastyT), outcomeOf(containers[1], patientT)]);
  return { hasty, patient };
}

/** A running container that only SIGKILL ends. */
export async function makeDeaf(engine: Engine): Promise<Container> {
  const container = await makeContainer(engine, { run: ['catch', 'out', 'ready\\n', 'forever'], state: 'running' });
  await container.hasWritten('ready');
  return container;
}

/**
 * The container with the shorter wait was killed earlier. The two are compared with each other and not with a clock, so
 * that a slow machine does not matter.
 * @param moment the field of inspect with the time at which the container had ended or restarted
 */
export function expectHaste(moment: string, { hasty, patient }: Waits): void {
  expectValue(
    `milliseconds by which ${moment} is earlier with t=${hastyT} than with t=${patientT}`,
    apart(moment, { hasty, patient }),
    [hasty.after, patient.after],
  ).toBeAtLeast(2_000);
  // The end may be reported late, but never early.
  expectValue('milliseconds until what was to be killed after 6 s was through', Math.round(patient.tookMs), [
    patient.after,
  ]).toBeAtLeast(5_900);
}

/** More than times to the second can hide. */
const slackMs = 3_000;

/**
 * The container with the longer wait was killed soon after it. What the daemon needed for the other one besides its wait
 * shows how slow the machine is, so that this much more is allowed.
 */
export function expectKilledSoon(moment: string, { hasty, patient }: Waits): void {
  const waitedLongerMs = (patientT - hastyT) * 1_000;
  const slownessMs = Math.max(0, Math.round(hasty.tookMs - hastyT * 1_000));
  const lateMs = apart(moment, { hasty, patient }) - waitedLongerMs - slownessMs;
  expectValue(`milliseconds by which ${moment} is later than t=${hastyT} and t=${patientT} make it`, lateMs, [
    hasty.after,
    patient.after,
  ]).toBeAtMost(slackMs);
}

/** By how many milliseconds a moment of the one is earlier than that of the other. */
function apart(moment: string, { hasty, patient }: Waits): number {
  const [early, late] = [hasty.after, patient.after].map(({ json }) => Date.parse(String(valuesAt(json, moment)[0])));
  return Number(late) - Number(early);
}

/** A container that was stopped with a long wait and ended by itself some time after its signal, with the code 7. */
export const stoppedByItself = fixture('a container that ends by itself after a stop', async ({ engine }) => {
  const slow = ['catch', 'out', 'ready\\n', 'wait-signal', 'sleep', '1000', 'exit', '7'];
  const container = await makeContainer(engine, { run: slow, state: 'running' });
  await container.hasWritten('ready');
  await given(container.stop({ t: 30 }), 204);
  const inspect = await given(container.inspect(), 200);
  const log = await given(container.logs({ stdout: true }), 200);
  return { inspect, log };
});
