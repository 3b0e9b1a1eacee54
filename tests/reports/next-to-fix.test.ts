import { expect, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { causesIn } from '../../reports/causes/causes.ts';
import { nextToFix } from '../../reports/next-to-fix.ts';

function blocked(rule: string, reason: string): Result {
  return {
    ...{ rule, verdict: 'blocked', endpoint: 'GET /info', reason, api: '1.23', level: 'must', kind: 'status' },
    ...{ area: 'system', expected: '', actual: '', evidence: [], assertions: 1, durationMs: 1 },
  };
}

const unreached = ['a', 'b', 'c'].map((rule) => blocked(rule, 'the run ended before this check'));

test('the gravest cause, and not the end of the run, however much it blocked', () => {
  const gone = ['d', 'e'].map((rule) => blocked(rule, 'waiting for a state failed: the container never ran'));
  const causes = causesIn([...unreached, ...gone], new Map());
  expect(nextToFix(causes)).toMatchObject({
    says: 'GET /info: waiting for a state failed: the container never ran',
    blocked: 2,
  });
});

test('nothing where only the end of the run kept rules from being decided', () => {
  expect(nextToFix(causesIn(unreached, new Map()))).toBeUndefined();
});
