import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { readOutput, saying } from '../../harness/engine/output.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { afterOthers, ifRight, ifThere, itself } from '../support/shared-results.ts';
import { restarted } from './restart.ts';
import { checkOperation } from './support/operation-checks.ts';
import { runningIn } from './support/state-values.ts';

export const killed = checkOperation('kill', 'running', (container) => container.kill(), restarted);

/** A container that got signals in turn, with what came of each. */
const signalled = fixture('a container that got several signals', async ({ engine }) => {
  const waits = (last: string) => ['out', `${last}\\n`, 'wait-signal'];
  const run = ['catch', ...waits('ready'), ...waits('after the name'), ...waits('after the number'), 'sleep', '5000'];
  const container = await makeContainer(engine, { run, state: 'running' });
  await container.hasWritten('ready');
  await given(container.kill({ signal: 'SIGUSR1' }), 204);
  await container.hasWritten('after the name');
  await given(container.kill({ signal: '10' }), 204);
  await container.hasWritten('after the number');
  const unknown = await container.kill({ signal: 'SIGNONE' });
  await given(container.kill(), 204);
  const inspect = await given(container.inspect(), 200);
  await container.hasEnded();
  const { stdout, evidence } = await readOutput(container, { isWhole: saying('after the number\n') });
  return { stdout, log: evidence, unknown, inspect, notRunning: await container.kill() };
});

for (const [form, signal] of [
  ['name', 'SIGUSR1'],
  ['number', '10'],
] as const) {
  check(
    `containers.kill.signal-by-${form}`,
    { faults: [takesQueryAs('signal', 'SIGUSR2')] },
    async ({ engine, use }) => {
      const shared = await ifThere(use(signalled));
      const alone = async () => {
        const run = ['catch', 'out', 'ready\\n', 'wait-signal'];
        const container = await makeContainer(engine, { run, state: 'running' });
        await container.hasWritten('ready');
        await given(container.kill({ signal }), 204);
        await container.hasEnded();
        return given(container.logs({ stdout: true }, saying('signal ')), 200);
      };
      const isTold = ({ stdout }: { stdout: string }) => stdout.includes(`signal 10\nafter the ${form}\n`);
      const log = ifRight(shared, isTold, afterOthers, ({ log }) => log)?.log ?? (await alone());
      expectValue('what the container says of its signal', log.output, [log]).toContain('signal 10\n');
    },
  );
}

check(
  'containers.kill.signal-default-SIGKILL',
  { faults: [takesQueryAs('signal', 'SIGTERM')] },
  async ({ engine, use }) => {
    const isLast = ({ stdout }: { stdout: string }) => stdout.endsWith('after the number\n');
    const shared = ifRight(await ifThere(use(signalled)), isLast, afterOthers, ({ log }) => log);
    if (shared) {
      expectValue('what the container says last', shared.stdout, [shared.log]).toMatch(/after the number\n$/);
      return;
    }
    // Of the signals that end a process, only SIGKILL cannot be caught.
    const run = ['catch', 'out', 'ready\\n', 'wait-signal'];
    const container = await makeContainer(engine, { run, state: 'running' });
    await container.hasWritten('ready');
    await given(container.kill(), 204);
    await container.hasEnded();
    const log = await given(container.logs({ stdout: true }), 200);
    expectValue('what the container says of a signal', log.output, [log]).toLack('signal ');
  },
);

const doesNotWait = takesQueryAs('signal', 'SIGTERM');

check(
  'containers.kill.waits-for-exit',
  { faults: [swallows(204), doesNotWait], slowToFail: true },
  async ({ engine, use }) => {
    const shared = (await ifThere(use(signalled)))?.inspect;
    const alone = async () => {
      // Ends on SIGKILL at once, and some time after any other signal.
      const run = ['catch', 'out', 'ready\\n', 'wait-signal', 'sleep', '5000'];
      const container = await makeContainer(engine, { run, state: 'running' });
      await container.hasWritten('ready');
      await given(container.kill(), 204);
      return given(container.inspect(), 200);
    };
    const hasEnded = (inspect: Exchange) => runningIn(inspect) === false;
    const inspect = ifRight(shared, hasEnded, afterOthers, itself) ?? (await alone());
    expect(inspect).field('State.Running').toBe(false);
  },
);

check('containers.kill.not-running', { faults: [] }, async ({ engine, use }) => {
  const alone = async () => (await makeContainer(engine, { state: 'exited' })).kill();
  const answer = (await ifThere(use(signalled)))?.notRunning ?? (await alone());
  observe(`answers ${answer.status}`, answer);
});

check('containers.kill.unknown-signal', { faults: [] }, async ({ engine, use }) => {
  const alone = async () => (await makeContainer(engine, { state: 'running' })).kill({ signal: 'SIGNONE' });
  const answer = (await ifThere(use(signalled)))?.unknown ?? (await alone());
  observe(`answers ${answer.status}`, answer);
});
