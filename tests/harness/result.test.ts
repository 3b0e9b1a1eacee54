import { expect, test } from 'vitest';
import { Redactor } from '../../harness/recording/redact.ts';
import { resultOf } from '../../harness/runner/result.ts';
import type { Decision } from '../../harness/verdict/judge.ts';
import type { Wanted } from '../../harness/verdict/shown.ts';
import { allRules } from '../../specs/catalogue.ts';

const secret = 'canary "word"';
const redactor = new Redactor([secret]);

const decision: Decision = {
  verdict: 'fail',
  level: 'must',
  reason: `told ${secret}`,
  expected: `not ${secret}`,
  actual: JSON.stringify(secret),
  evidence: ['x1'],
  assertions: 1,
  broken: false,
};

function told(more: Partial<Decision>): ReturnType<typeof resultOf> {
  const rule = allRules.find(({ id }) => id === 'system.ping.answers-200');
  if (!rule) throw new Error('the rule is gone');
  return resultOf(rule, '1.23', { ...decision, ...more }, redactor, 5);
}

test('what was expected and what came are told without secrets', () => {
  expect(told({})).toMatchObject({
    reason: 'told [redacted]',
    expected: 'not [redacted]',
    actual: '"[redacted]"',
    endpoint: 'GET /_ping',
    durationMs: 5,
  });
});

test.each<Wanted>([
  { is: 'other-than', value: `status 400 (${secret})` },
  { is: 'like', value: { a: [{ [secret]: 1 }] } },
  { is: 'with', value: secret },
  { is: 'without', value: [JSON.stringify(secret)] },
  { is: 'one-of', values: [1, secret] },
  { is: 'matching', pattern: secret, anyCase: false },
])('a value to compare with that has a secret in it ($is) is left out', (wanted) => {
  expect(told({ shown: { exchange: 'x1', from: { part: 'text' }, wanted } }).shown).toEqual({ exchange: 'x1' });
});

test.each<Wanted>([
  { is: 'other-than', value: 'status 400' },
  { is: 'at-least', value: 4 },
])('one without is kept ($is)', (wanted) => {
  const shown = { exchange: 'x1', from: { part: 'text' }, wanted } as const;
  expect(told({ shown }).shown).toEqual(shown);
});

test('a generated test is told without secrets, and its script keeps the names of its variables', () => {
  const generated = { seed: 1, runs: 1, shrinks: 0 };
  const texts = { input: secret, steps: [`GET /${secret}`], script: `password="$SECRET"\n# ${secret}` };
  expect(told({ generated: { ...generated, ...texts } }).generated).toEqual({
    ...generated,
    ...{ input: '[redacted]', steps: ['GET /[redacted]'], script: 'password="$SECRET"\n# [redacted]' },
  });
});
