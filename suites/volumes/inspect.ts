import { check, fixture } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { makeVolume, plainShown, volumePath } from './support/volumes.ts';

const inspected = fixture('the inspect of a volume', async ({ use }) =>
  given(Promise.resolve((await use(plainShown)).inspect), 200),
);

checkFields(fieldRulesOf('volumes.inspect.field.'), inspected);

check('volumes.inspect.answers-200', { faults: [answersStatus(204, 200)] }, async ({ use }) => {
  expect((await use(plainShown)).inspect).toHaveStatus(200);
});

check('volumes.inspect.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async ({ engine, use }) => {
  await control(Promise.resolve((await use(plainShown)).inspect), 200);
  expect(await engine.get(volumePath(engine.unusedName('volume')))).toHaveStatus(404);
});

check('volumes.inspect.by-name', { faults: [setsField('Name', 'another')] }, async ({ engine, use }) => {
  const one = await use(plainShown);
  const name = await makeVolume(engine);
  const other = { name, inspect: await engine.get(volumePath(name)) };
  for (const { name, inspect } of [one, other]) {
    expect(inspect).toHaveStatus(200);
    expect(inspect).field('Name').toBe(name);
  }
});
