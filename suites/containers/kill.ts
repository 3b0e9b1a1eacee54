import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { checkOperation } from './operation.ts';

checkOperation('kill', 'running', (container) => container.kill());

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
    expectValue('what the container says of its signal', log.text, [log]).toContain('signal 10\n');
  });
}

check('containers.kill.signal-default-SIGKILL', { faults: [takesQueryAs('signal', 'SIGTERM')] }, async ({ engine }) => {
  const container = await makeContainer(engine, { run: ['out', 'ready\\n', 'forever'], state: 'running' });
  await container.hasWritten('ready');
  await given(container.kill(), 204);
  await container.hasEnded();
  expect(await given(container.inspect(), 200))
    .field('State.ExitCode')
    .toBe(137);
});

check('containers.kill.waits-for-exit', { faults: [swallows(204)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
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
