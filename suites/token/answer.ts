import { check, checkRule } from '../../harness/check.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { valuesAt } from '../../harness/expect/json-path.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { retypesField, setsField } from '../../harness/faults/fields.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { checkFields, fieldRule, fieldRulesOf } from '../field-checks.ts';
import { answered, expectThat, givesToken, offlineAnswer, onlineToken, passwordForm } from './ask.ts';

check('token.answers-200', { faults: [answersStatus(201, 200)] }, async ({ tokens }) => {
  const answer = await answered(tokens.post(passwordForm(tokens)));
  await givesToken(answer);
  expect(answer).toHaveStatus(200);
});

check(
  'token.media-type',
  { faults: [dropsHeader('Content-Type'), setsHeader('Content-Type', 'text/plain')] },
  async ({ use }) => {
    expect((await use(onlineToken)).exchange).toHaveMediaType('application/json');
  },
);

// A bearer token stands in a header: it can have no spaces and no characters that a header cannot carry.
check(
  'token.bearer-token',
  { faults: [setsField('access_token', 'two words'), setsField('access_token', 'ünsafe')] },
  async ({ use }) => {
    const { accessToken, exchange } = await use(onlineToken);
    expectThat('access_token has only visible ASCII characters', /^[\x21-\x7e]+$/.test(accessToken), exchange);
  },
);

const defaultSeconds = 60;

check('token.expires-in-60', { faults: [setsField('expires_in', 59)] }, async ({ use }) => {
  const { exchange } = await use(onlineToken);
  const [seconds = defaultSeconds] = valuesAt(exchange.json, 'expires_in');
  expectValue('expires_in', seconds, [exchange]).toBeAtLeast(60);
});

// 'Z' or no offset at all from UTC; the letters may be small (RFC 3339, section 5.6).
const utcTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]00:00)$/;

check(
  'token.issued-at-utc',
  {
    faults: [
      setsField('issued_at', '2020-01-01T00:00:00+02:00'),
      setsField('issued_at', '2020-01-01 00:00:00'),
      setsField('issued_at', '2020-13-01T00:00:00Z'),
      setsField('issued_at', 1577836800),
    ],
  },
  async ({ use }) => {
    const { exchange } = await use(onlineToken);
    const [issuedAt] = valuesAt(exchange.json, 'issued_at');
    if (issuedAt === undefined || issuedAt === null) throw new NotApplicable('the answer has no issued_at');
    expectValue('issued_at', issuedAt, [exchange]).toSatisfy('a time of RFC 3339 in UTC', isUtcTime);
  },
);

function isUtcTime(value: unknown): boolean {
  return typeof value === 'string' && utcTime.test(value) && !Number.isNaN(Date.parse(value.toUpperCase()));
}

const issuedAt = fieldRule('token.field.issued_at');
const retyped = retypesField('issued_at', issuedAt.field.schema);

// It may be missing.
checkRule(issuedAt, { faults: retyped ? [retyped] : [] }, async ({ use }) => {
  expectField(await use(offlineAnswer), issuedAt);
});

checkFields(
  fieldRulesOf('token.field.').filter((rule) => rule !== issuedAt),
  offlineAnswer,
);
