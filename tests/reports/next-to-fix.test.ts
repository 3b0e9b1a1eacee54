import { expect, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { nextToFix } from '../../reports/next-to-fix.ts';

function result(rule: string, verdict: Result['verdict'], endpoint: string, reason = ''): Result {
  return {
    ...{ rule, verdict, endpoint, reason, api: '1.23', level: 'must', kind: 'status', area: 'containers' },
    ...{ expected: '', actual: '', evidence: ['x1'], assertions: 1, durationMs: 1 },
  };
}

const create = 'POST /containers/create';
const start = 'POST /containers/{id}/start';

test('what blocks most rules comes first', () => {
  const results = [
    ...['a', 'b', 'c'].map((rule) => result(rule, 'fail', create)),
    ...['d', 'e'].map((rule) => result(rule, 'blocked', start, 'the container could not be started')),
    result('f', 'blocked', create, 'the image is not there'),
  ];
  expect(nextToFix(results)).toEqual({
    says: `what blocks 2 rules, as at ${start}`,
    detail: 'the container could not be started',
  });
});

test('else the endpoint at which most rules fail, each counted once for all versions', () => {
  const results = [
    ...['a', 'b'].map((rule) => result(rule, 'fail', create)),
    ...(['1.20', '1.21', '1.23'] as const).map((api) => ({ ...result('c', 'fail', start), api })),
  ];
  expect(nextToFix(results)?.says).toBe(`${create}, at which 2 rules fail`);
});

test('nothing when no one thing settles more than one rule', () => {
  expect(nextToFix([result('a', 'fail', create), result('b', 'blocked', start, 'gone')])).toBeUndefined();
  const unreached = ['a', 'b'].map((rule) => ({ ...result(rule, 'blocked', create, 'the run ended'), evidence: [] }));
  expect(nextToFix(unreached)).toBeUndefined();
});
