import { expect, test } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

const updates = [
  'containers.update.while-running',
  'containers.update.in-force',
  'containers.update.restart-policy-followed',
] as const;

/** Refuses what its groups would have to do for a running container. */
function refusesLimits(): void {
  around('POST /containers/{id}/update', async (call, answer) => {
    const body = await call.json();
    call.json = async () => body;
    const asked = Object.keys(Object(body)).filter((name) => name !== 'RestartPolicy');
    if (asked.length > 0) call.answer(500, { message: 'cannot join a control group' });
    else await answer();
  });
}

function tellsDriver(CgroupDriver: string): void {
  around('GET /info', async (call, answer) => {
    const send = call.answer.bind(call);
    call.answer = (status, body) => send(status, { ...Object(body), CgroupDriver });
    await answer();
  });
}

test('an engine that says it has no control groups may refuse limits, and is judged on the rest', async () => {
  refusesLimits();
  tellsDriver('none');
  const results = await resultsOf(updates, '1.23');
  const told = { verdict: 'skip', reason: expect.stringContaining('CgroupDriver is none in /info') };
  expect(results.get('containers.update.while-running')).toMatchObject(told);
  expect(results.get('containers.update.in-force')).toMatchObject(told);
  expect(results.get('containers.update.restart-policy-followed')).toMatchObject({ verdict: 'pass' });
});

test('an engine that has them may not', async () => {
  refusesLimits();
  tellsDriver('cgroupfs');
  const results = await resultsOf(updates, '1.23');
  expect(results.get('containers.update.while-running')).toMatchObject({
    verdict: 'fail',
    actual: expect.stringMatching(/^status 500/),
  });
  expect(results.get('containers.update.in-force')).toMatchObject({ verdict: 'blocked' });
});

test('where containers cannot be paused, states are judged without that, and the verdict says so', async () => {
  around('POST /containers/{id}/pause', (call) => call.answer(500, { message: 'no freezer' }));
  const models = ['generated.models.containers', 'generated.models.parallel'] as const;
  const rules = ['containers.list.states-agree', 'containers.inspect.events-agree', 'service.transitions', ...models];
  const results = await resultsOf(rules, '1.23');
  expect(results.get('containers.list.states-agree')).toMatchObject({
    verdict: 'pass',
    reason: expect.stringContaining('pause and unpause were not judged: containers cannot be paused: 500 no freezer'),
  });
  for (const model of models) {
    expect(results.get(model)).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('pauses were not judged: containers cannot be paused'),
    });
  }
  expect(results.get('containers.inspect.events-agree')).toMatchObject({
    verdict: 'observed',
    reason: expect.stringContaining('pause and unpause are not tried'),
  });
  expect(results.get('service.transitions')).toMatchObject({
    verdict: 'observed',
    reason: expect.stringContaining('paused is not tried'),
  });
});
