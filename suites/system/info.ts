import { check, fixture } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, observe } from '../../harness/expect/expect.ts';
import { undocumentedFields } from '../../harness/expect/undocumented.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { systemInformation } from '../../specs/resources/system.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { askedInfo } from '../support/info-asked.ts';
import { tellsDaemon } from '../support/known-answer.ts';

const info = fixture('the answer of GET /info', (context) => given(askedInfo(context), 200));

/** The documents promise no entry in IndexConfigs. */
const entry = { mayHoldNothing: true };

checkFields(fieldRulesOf('system.info.field.'), info, {
  'RegistryConfig.IndexConfigs{}.Mirrors': entry,
  'RegistryConfig.IndexConfigs{}.Name': entry,
  'RegistryConfig.IndexConfigs{}.Official': entry,
  'RegistryConfig.IndexConfigs{}.Secure': entry,
});

check('system.info.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  const answer = await askedInfo(context);
  expect(answer).toHaveStatus(200);
  await tellsDaemon(answer);
});

for (const [member, shown] of [
  ['ExecutionDriver', '<not supported>'],
  ['KernelMemory', true],
] as const) {
  check(`system.info.no-${member}`, { faults: [setsField(member, shown)] }, async ({ use }) => {
    expect(await use(info))
      .field(member)
      .toBeAbsent();
  });
}

check('system.info.undocumented', { faults: [] }, async ({ use, api }) => {
  const answer = await use(info);
  observe(undocumentedFields(answer.json, systemInformation, api), answer);
});
