import { check, fixture } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, observe } from '../../harness/expect/expect.ts';
import { undocumentedFields } from '../../harness/expect/undocumented.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { versionInformation } from '../../specs/resources/system.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { tellsVersion } from '../support/known-answer.ts';
import { askedVersion } from '../support/version-asked.ts';

const version = fixture('the answer of GET /version', (context) => given(askedVersion(context), 200));

checkFields(fieldRulesOf('system.version.field.'), version);

check('system.version.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  const answer = await askedVersion(context);
  expect(answer).toHaveStatus(200);
  await tellsVersion(answer);
});

check('system.version.ApiVersion-form', { faults: [setsField('ApiVersion', 'v1')] }, async ({ use }) => {
  expect(await use(version))
    .field('ApiVersion')
    .toMatch(/^\d+\.\d+$/);
});

check('system.version.undocumented', { faults: [] }, async ({ use, api }) => {
  const answer = await use(version);
  observe(undocumentedFields(answer.json, versionInformation, api), answer);
});
