import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { checkOperation } from './operation.ts';

checkOperation('stop', 'running', (container) => container.stop());

check('containers.stop.stopped-answers-304', { faults: [answersStatus(204, 304)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  await control(container.stop(), 204);
  expect(await container.stop()).toHaveStatus(304);
});

check('containers.stop.container-not-running', { faults: [swallows(204)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  await given(container.stop(), 204);
  expect(await given(container.inspect(), 200))
    .field('State.Running')
    .toBe(false);
});

check('containers.stop.kills-after-t', { faults: [swallows(204)] }, async ({ engine }) => {
  const deaf = ['ignore', '15', 'out', 'ready\\n', 'forever'];
  const container = await makeContainer(engine, { run: deaf, state: 'running' });
  await container.hasWritten('ready');
  await given(container.stop({ t: 1 }), 204);
  const inspect = await given(container.inspect(), 200);
  expect(inspect).field('State.Running').toBe(false);
  expect(inspect).field('State.ExitCode').toBe(137);
});

check('containers.stop.waits-up-to-t', { faults: [takesQueryAs('t', '0')] }, async ({ engine }) => {
  const slow = ['catch', 'out', 'ready\\n', 'wait-signal', 'sleep', '1000', 'exit', '7'];
  const container = await makeContainer(engine, { run: slow, state: 'running' });
  await container.hasWritten('ready');
  await given(container.stop({ t: 30 }), 204);
  expect(await given(container.inspect(), 200))
    .field('State.ExitCode')
    .toBe(7);
});

check('containers.stop.bad-t', { faults: [] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  const answer = await engine.post(container.path('stop'), { query: { t: 'soon' }, boundMs: 30_000 });
  observe(`answers ${answer.status}`, answer);
});

check('containers.stop.created', { faults: [] }, async ({ engine }) => {
  const answer = await (await makeContainer(engine)).stop();
  observe(`answers ${answer.status}`, answer);
});
