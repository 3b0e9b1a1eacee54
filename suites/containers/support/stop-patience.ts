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

/** Stops or restarts at the same time two containers that only SIGKILL ends, with a wait of 1 and of 6 seconds. */
export async function afterPatience(
  engine: Engine,
  operation: 'stop' | 'restart',
): Promise<{ hasty: StopOutcome; patient: StopOutcome }> {
  const containers = await Promise.all([makeDeaf(engine), makeDeaf(engine)]);
  const outcomeOf = async (container: Container, t: number): Promise<StopOutcome> => {
    const before = await given(container.inspect(), 200);
    // A daemon that waits for a time of its own gets enough of it to end, so that it can be judged.
    const begun = performance.now();
    await given(engine.post(container.path(operation), { query: { t }, boundMs: 60_000 }), 204);
    const tookMs = performance.now() - begun;
    return { before, after: await given(container.inspect(), 200), tookMs };
  };
  const [hasty, patient] = await Promise.all([outcomeOf(containers[0], 1), outcomeOf(containers[1], 6)]);
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
export function expectHaste(moment: string, hasty: StopOutcome, patient: StopOutcome): void {
  const [early, late] = [hasty.after, patient.after].map(({ json }) => Date.parse(String(valuesAt(json, moment)[0])));
  expectValue(`milliseconds by which ${moment} is earlier with t=1 than with t=6`, Number(late) - Number(early), [
    hasty.after,
    patient.after,
  ]).toBeAtLeast(2_000);
  // The end may be reported late, but never early.
  expectValue('milliseconds until what was to be killed after 6 s was through', Math.round(patient.tookMs), [
    patient.after,
  ]).toBeAtLeast(5_900);
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
