import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { swallows, takesQueryAs } from '../../harness/faults/requests.ts';

check('containers.stop.answers-204', { faults: [answersStatus(200, 204)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  expect(await container.stop()).toHaveStatus(204);
});

check('containers.stop.empty-body', { faults: [answersBody('stopped')] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  expect(await given(container.stop(), 204)).toBeEmptyBody();
});

check('containers.stop.stopped-answers-304', { faults: [answersStatus(204, 304)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  await control(container.stop(), 204);
  expect(await container.stop()).toHaveStatus(304);
});

check('containers.stop.unknown-answers-404', { faults: [answersStatus(204, 404)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  await control(container.stop(), 204);
  expect(await engine.post(`/containers/${engine.name('container')}/stop`)).toHaveStatus(404);
});

check('containers.stop.kills-after-t', { faults: [swallows(204)] }, async ({ engine }) => {
  const container = await makeContainer(engine, {
    run: ['ignore', '15', 'out', 'ready\\n', 'forever'],
    state: 'running',
  });
  await container.hasWritten('ready');
  const stop = await given(container.stop({ t: 1 }), 204);
  const inspect = await given(container.inspect(), 200);
  expect(inspect).field('State.Running').toBe(false);
  expectValue('the exit code of a killed container', exitCode(inspect.json), [stop, inspect]).toBe(137);
});

check('containers.stop.waits-up-to-t', { faults: [takesQueryAs('t', '0')] }, async ({ engine }) => {
  const slow = ['catch', 'out', 'ready\\n', 'wait-signal', 'sleep', '1000', 'exit', '7'];
  const container = await makeContainer(engine, { run: slow, state: 'running' });
  await container.hasWritten('ready');
  await given(container.stop({ t: 10 }), 204);
  expect(await given(container.inspect(), 200))
    .field('State.ExitCode')
    .toBe(7);
});

function exitCode(inspect: unknown): unknown {
  return Object(Object(inspect).State).ExitCode;
}
