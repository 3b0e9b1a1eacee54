import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { restarted } from './restart.ts';
import { checkOperation } from './support/operation-checks.ts';

checkOperation('kill', 'running', (container) => container.kill(), restarted);

for (const [form, signal] of [
  ['name', 'SIGUSR1'],
  ['number', '10'],
] as const) {
  check(`containers.kill.signal-by-${form}`, { faults: [takesQueryAs('signal', 'SIGUSR2')] }, async ({ engine }) => {
    const run = ['catch', 'out', 'ready\\n', 'wait-signal'];
    const container = await makeContainer(engine, { run, state: 'running' });
    await container.hasWritten('ready');
    await given(container.kill({ signal }), 204);
    await container.hasEnded();
    const log = await given(container.logs({ stdout: true }), 200);
    expectValue('what the container says of its signal', log.output, [log]).toContain('signal 10\n');
  });
}

check('containers.kill.signal-default-SIGKILL', { faults: [takesQueryAs('signal', 'SIGTERM')] }, async ({ engine }) => {
  // Of the signals that end a process, only SIGKILL cannot be caught.
  const run = ['catch', 'out', 'ready\\n', 'wait-signal'];
  const container = await makeContainer(engine, { run, state: 'running' });
  await container.hasWritten('ready');
  await given(container.kill(), 204);
  await container.hasEnded();
  const log = await given(container.logs({ stdout: true }), 200);
  expectValue('what the container says of a signal', log.output, [log]).toLack('signal ');
});

const doesNotWait = takesQueryAs('signal', 'SIGTERM');

check('containers.kill.waits-for-exit', { faults: [swallows(204), doesNotWait] }, async ({ engine }) => {
  // Ends on SIGKILL at once, and some time after any other signal.
  const run = ['catch', 'out', 'ready\\n', 'wait-signal', 'sleep', '5000'];
  const container = await makeContainer(engine, { run, state: 'running' });
  await container.hasWritten('ready');
  await given(container.kill(), 204);
  expect(await given(container.inspect(), 200))
    .field('State.Running')
    .toBe(false);
});

check('containers.kill.not-running', { faults: [] }, async ({ engine }) => {
  const answer = await (await makeContainer(engine, { state: 'exited' })).kill();
  observe(`answers ${answer.status}`, answer);
});

check('containers.kill.unknown-signal', { faults: [] }, async ({ engine }) => {
  const answer = await (await makeContainer(engine, { state: 'running' })).kill({ signal: 'SIGNONE' });
  observe(`answers ${answer.status}`, answer);
});
