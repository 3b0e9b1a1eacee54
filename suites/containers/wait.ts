import { check, fixture } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { knowsOnlyIdentifiers, swallows } from '../../harness/faults/requests.ts';
import { created, succeeded, useCommon } from '../common-containers.ts';
import { checkFields, fieldRulesOf } from '../field-checks.ts';

// Engines forget the code of a container some time after it has ended, so those whose code is judged are not shared.
const waited = fixture('the answer of wait', async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'exited' });
  return given(container.wait(), 200);
});

checkFields(fieldRulesOf('containers.wait.field.'), waited);

check('containers.wait.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { run: ['exit', '0'] });
  await given(container.start(), 204);
  expect(await container.wait()).toHaveStatus(200);
});

check('containers.wait.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control((await useCommon(context, succeeded)).wait(), 200);
  const missing = engine.name('container');
  expect(await new Container(engine, missing, missing).wait()).toHaveStatus(404);
});

check('containers.wait.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async ({ engine }) => {
  const { id, name } = await makeContainer(engine, { run: ['exit', '7'] });
  await given(new Container(engine, id, name).start(), 204);
  for (const form of [id, name]) {
    const wait = await new Container(engine, form, name).wait();
    expect(wait).toHaveStatus(200);
    expect(wait).field('StatusCode').toBe(7);
  }
});

check('containers.wait.blocks-until-stopped', { faults: [swallows(200, '{"StatusCode":0}')] }, async ({ engine }) => {
  const run = ['out', 'ready\\n', 'sleep', '500', 'out', 'later\\n', 'forever'];
  const container = await makeContainer(engine, { run, state: 'running' });
  await container.hasWritten('ready');
  let answered = false;
  const waiting = container.wait({ boundMs: 60_000 }).finally(() => {
    answered = true;
  });
  await Promise.race([container.hasWritten('later'), settled(waiting, 'wait')]);
  const early = answered;
  if (!early) await given(container.kill(), 204);
  const wait = await given(waiting, 200);
  expectValue('whether wait answered before the container stopped', early, [wait]).toBe(false);
});

check('containers.wait.exit-code', { faults: [setsField('StatusCode', 1)] }, async ({ engine }) => {
  for (const code of [0, 3, 255]) {
    const container = await makeContainer(engine, { run: ['exit', String(code)] });
    await given(container.start(), 204);
    const wait = await given(container.wait(), 200);
    expect(wait).field('StatusCode').toBe(code);
  }
});

check('containers.wait.stopped-at-once', { faults: [setsField('StatusCode', 0)] }, async ({ engine }) => {
  const container = await makeContainer(engine, { run: ['exit', '7'], state: 'exited' });
  const wait = await container.wait();
  expect(wait).toHaveStatus(200);
  expect(wait).field('StatusCode').toBe(7);
});

check('containers.wait.created', { faults: [] }, async (context) => {
  const container = await useCommon(context, created);
  const wait = await container.wait({ boundMs: 1_000 });
  observe(`answers ${wait.status} at once`, wait);
});
