import { expect, test } from 'vitest';
import type { Result, Verdict } from '../../harness/events.ts';
import { causesIn } from '../../reports/causes/causes.ts';
import { coverageOf } from '../../reports/coverage.ts';

function result(rule: string, endpoint: string, verdict: Verdict, more: Partial<Result> = {}): Result {
  return {
    ...{ rule, verdict, endpoint, api: '1.23', level: 'must', kind: 'status', area: 'containers', reason: '' },
    ...{ expected: '', actual: '', evidence: [], assertions: 1, durationMs: 1 },
    ...more,
  };
}

test('an endpoint is not served, deviates, is blocked, known, kept or not judged', () => {
  const results = [
    result('a', 'POST /a', 'fail', { expected: 'POST /a to be served', actual: '404 Not Found' }),
    result('a2', 'POST /a', 'skip', { reason: 'POST /a is not served: 404 Not Found' }),
    result('b', 'GET /b', 'pass'),
    result('b2', 'GET /b', 'fail', { expected: 'the colour: red', actual: 'green' }),
    result('b3', 'GET /b', 'fail', { expected: 'the size of the thing: 3', actual: '4' }),
    result('c', 'GET /c', 'blocked', { reason: 'waiting for a state failed: it never ran' }),
    result('d', 'GET /d', 'pass'),
    result('d2', 'GET /d', 'waived', { reason: 'answers null (gives its unset list as it is)', knownAs: 'intended' }),
    result('e', 'GET /e', 'pass'),
    result('e2', 'GET /e', 'observed'),
    result('f', 'GET /f', 'skip'),
    result('g', 'GET /g', 'pass', { endpoint: 'GET /e' }),
  ];
  const coverage = coverageOf(results, causesIn(results, new Map()));
  expect(
    coverage.map(({ endpoint, state, causes, judged, kept }) => [endpoint, state, causes.length, kept, judged]),
  ).toEqual([
    ['POST /a', 'not-served', 1, 0, 1],
    ['GET /b', 'deviates', 2, 1, 3],
    ['GET /c', 'blocked', 1, 0, 0],
    ['GET /d', 'known', 0, 1, 2],
    ['GET /e', 'kept', 0, 2, 2],
    ['GET /f', 'not-judged', 0, 0, 0],
  ]);
  expect(coverage[3]?.known).toEqual([{ says: 'answers null (gives its unset list as it is)', kind: 'intended' }]);
  expect(coverage[3]?.knownAs).toBe('intended');
});
