import { check, fixture } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { makeVolume, volumePath } from './support/volumes.ts';

const inspected = fixture('the inspect of a volume', async ({ engine }) =>
  given(engine.get(volumePath(await makeVolume(engine))), 200),
);

checkFields(fieldRulesOf('volumes.inspect.field.'), inspected);

check('volumes.inspect.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  expect(await engine.get(volumePath(await makeVolume(engine)))).toHaveStatus(200);
});

check('volumes.inspect.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async ({ engine }) => {
  await control(engine.get(volumePath(await makeVolume(engine))), 200);
  expect(await engine.get(volumePath(engine.name('volume')))).toHaveStatus(404);
});

check('volumes.inspect.by-name', { faults: [setsField('Name', 'another')] }, async ({ engine }) => {
  const [one, two] = [await makeVolume(engine), await makeVolume(engine)];
  for (const name of [one, two]) {
    const answer = await engine.get(volumePath(name));
    expect(answer).toHaveStatus(200);
    expect(answer).field('Name').toBe(name);
  }
});
