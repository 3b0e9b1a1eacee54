import { check, checkRule } from '../../harness/check.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { fieldDeviation } from '../../harness/expect/field-rule.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { dropsField, fieldFaults, setsField } from '../../harness/faults/fields.ts';
import { onForms } from '../../harness/faults/forms.ts';
import { holdersOf, valuesAt } from '../../harness/streams/json-path.ts';
import { currentJudgement } from '../../harness/verdict/judgement.ts';
import { Deviation, NotApplicable } from '../../harness/verdict/outcomes.ts';
import type { FieldRule } from '../../specs/rule.ts';
import { fieldRulesOf } from '../support/field-checks.ts';
import { isRefresh } from './support/forms.ts';
import {
  answered,
  ask,
  expectThat,
  givesToken,
  grantIn,
  onlineToken,
  type TokenAnswer,
  tokenAnswers,
} from './support/grants.ts';

check('token.answers-200', { faults: [answersStatus(201, 200)] }, async ({ tokens }) => {
  const answer = await answered(ask(tokens));
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

// A bearer token is sent in a header: it must not have spaces or characters that a header cannot carry.
check(
  'token.bearer-token',
  { faults: [setsField('access_token', 'two words'), setsField('access_token', 'ünsafe')] },
  async ({ use }) => {
    for (const { exchange } of await use(tokenAnswers)) {
      const accessToken = grantIn(exchange)?.accessToken ?? '';
      expectThat('access_token has only visible ASCII characters', /^[\x21-\x7e]+$/.test(accessToken), exchange);
    }
  },
);

const defaultSeconds = 60;
/** Allows for issue times in whole seconds and for the transfer of the answer. */
const slackSeconds = 5;

const onRefresh = (fault: Fault) => onForms('refresh tokens', isRefresh, fault);

check(
  'token.expires-in-60',
  {
    faults: [
      setsField('expires_in', 59),
      onRefresh(setsField('expires_in', 59)),
      setsField('issued_at', '2020-01-01T00:00:00Z'),
    ],
  },
  async ({ use }) => {
    for (const { exchange } of await use(tokenAnswers)) {
      const [seconds = defaultSeconds] = valuesAt(exchange.json, 'expires_in');
      expectValue('expires_in', seconds, [exchange]).toBeAtLeast(60);
      const [issuedAt] = valuesAt(exchange.json, 'issued_at');
      const now = Date.parse(exchange.header('Date') ?? '');
      if (typeof seconds !== 'number' || !isUtcTime(issuedAt) || Number.isNaN(now)) continue;
      const left = seconds - (now - Date.parse(issuedAt)) / 1_000;
      const isLong = left >= defaultSeconds - slackSeconds;
      expectThat('from issued_at on there are 60 seconds left at the Date of the answer', isLong, exchange);
    }
  },
);

// 'Z' or a zero offset from UTC; lower-case letters are allowed (RFC 3339, section 5.6).
const utcTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]00:00)$/;
/** Two well-set clocks of one server do not differ by this much. */
const largestDifferenceMs = 120_000;

check(
  'token.issued-at-utc',
  {
    faults: [
      setsField('issued_at', '2020-01-01T00:00:00+02:00'),
      setsField('issued_at', '2020-01-01 00:00:00'),
      setsField('issued_at', '2020-13-01T00:00:00Z'),
      setsField('issued_at', '1970-01-01T00:00:00Z'),
      setsField('issued_at', '2999-01-01T00:00:00Z'),
      setsField('issued_at', 1577836800),
    ],
  },
  async ({ use }) => {
    const { exchange } = await use(onlineToken);
    const [issuedAt] = valuesAt(exchange.json, 'issued_at');
    if (issuedAt === undefined || issuedAt === null) throw new NotApplicable('the answer has no issued_at');
    expectValue('issued_at', issuedAt, [exchange]).toSatisfy('a time of RFC 3339 in UTC', isUtcTime);
    // By the server's own clock: a token issued in the future, or already expired when issued, has a wrong time.
    const now = Date.parse(exchange.header('Date') ?? '');
    if (Number.isNaN(now) || !isUtcTime(issuedAt)) return;
    const [seconds = defaultSeconds] = valuesAt(exchange.json, 'expires_in');
    const goodForMs = typeof seconds === 'number' ? seconds * 1_000 : Number.POSITIVE_INFINITY;
    const ageMs = now - Date.parse(issuedAt);
    const isNear = ageMs >= -largestDifferenceMs && ageMs <= goodForMs + largestDifferenceMs;
    expectThat('issued_at is before the Date of the answer, by no more than the token is good for', isNear, exchange);
  },
);

function isUtcTime(value: unknown): value is string {
  return typeof value === 'string' && utcTime.test(value) && !Number.isNaN(Date.parse(value.toUpperCase()));
}

/** The answers that must have a field; the rule does not judge the others. */
const only: Readonly<Record<string, (asked: TokenAnswer) => boolean>> = { refresh_token: ({ isOffline }) => isOffline };

/** Fields that must be judged on each kind of answer, as one kind may lack them while another has them. */
const faultsOfRefresh: Readonly<Record<string, readonly Fault[]>> = {
  scope: [onRefresh(dropsField('scope'))],
  expires_in: [onRefresh(dropsField('expires_in'))],
};

for (const rule of fieldRulesOf('token.field.')) {
  const { path, schema } = rule.field;
  const [dropped, ...retyped] = fieldFaults(path, schema);
  // An optional field may be missing.
  const needed = schema.presence === 'optional' || !dropped ? [] : [dropped];
  const faults = [...needed, ...retyped, ...(faultsOfRefresh[path] ?? [])];
  checkRule(rule, { faults }, async ({ use }) => {
    const judged = (await use(tokenAnswers)).filter(only[path] ?? (() => true));
    if (judged.length === 0) throw new NotApplicable('no answer with access_type=offline could be had');
    currentJudgement().asserted(judged.map(({ exchange }) => exchange.id));
    const deviations = judged.flatMap((asked) => deviationIn(asked, rule) ?? []);
    // The most serious deviation is reported first.
    const worst = deviations.find(({ level }) => level === 'must') ?? deviations[0];
    if (worst) throw worst;
  });
}

function deviationIn({ words, exchange, hasScope }: TokenAnswer, { field }: FieldRule): Deviation | undefined {
  const deviation = fieldDeviation(holdersOf(exchange.json, field.path), field);
  if (!deviation) return undefined;
  const { expected, actual, level } = deviation;
  // Where no scope was requested there is none to report (interpretation `absent-when-empty`).
  const isEmpty = field.path === 'scope' && !hasScope && valuesAt(exchange.json, 'scope').length === 0;
  return new Deviation(`${expected}, for ${words}`, actual, isEmpty ? 'should' : level);
}
