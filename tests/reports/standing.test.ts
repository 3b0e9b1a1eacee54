import { expect, test } from 'vitest';
import type { Result, Verdict } from '../../harness/events.ts';
import { knownDeviations } from '../../reports/known.ts';
import { standingInWords, standingOf } from '../../reports/standing.ts';

function results(
  ...verdicts: readonly (readonly [rule: string, verdict: Verdict, level?: Result['level']])[]
): Result[] {
  return verdicts.map(([rule, verdict, level = 'must']) => ({
    ...{ rule, verdict, level, api: '1.23', kind: 'status', area: 'system', reason: '', expected: '', actual: '' },
    ...{ evidence: [], assertions: 1, durationMs: 1 },
  }));
}

function words(own: readonly Result[]): string | undefined {
  return standingInWords(standingOf(own));
}

test('a rule counts once, and what was not judged does not count', () => {
  const own = results(['a', 'pass'], ['a', 'pass'], ['a', 'skip'], ['b', 'skip'], ['c', 'observed'], ['d', 'untested']);
  expect(words(own)).toBe('Keeps 1 of 1 judged rule (100 %).');
});

test('a rule that deviates in one version is not kept, and each other outcome is told apart', () => {
  const own = results(
    ...([
      ['a', 'pass'],
      ['a', 'fail'],
      ['b', 'fail', 'should'],
      ['c', 'waived'],
      ['d', 'pass'],
      ['d', 'blocked'],
    ] as const),
    ...([
      ['e', 'blocked'],
      ['f', 'pass'],
    ] as const),
  );
  expect(words(own)).toBe(
    'Keeps 1 of 5 judged rules (20.0 %); 1 deviates, 1 deviates only where the documents are loose, 1 deviates as recorded in the baseline, 2 were blocked.',
  );
});

test('known deviations are told apart by their kinds, a rule by the first of its own', () => {
  const known = (rule: string, ...kinds: readonly Result['knownAs'][]) =>
    kinds.flatMap((knownAs) => results([rule, 'waived']).map((result) => ({ ...result, ...(knownAs && { knownAs }) })));
  const own = [
    ...known('a', 'platform', 'bug'),
    ...known('b', 'bug'),
    ...known('c', 'intended'),
    ...known('d', 'platform'),
  ];
  expect(words([...own, ...known('e', undefined)])).toBe(
    'Keeps 0 of 5 judged rules (0.0 %); 5 deviate as recorded in the baseline (2 bugs, 1 intended, 1 due to the platform, 1 of no stated kind).',
  );
  expect(knownDeviations(own).map(({ kind, rules }) => [kind, rules])).toEqual([
    ['bug', 2],
    ['intended', 1],
    ['platform', 2],
  ]);
});

test('100 % is all of them', () => {
  const kept = Array.from({ length: 9_999 }, (_, place) => [`kept${place}`, 'pass'] as const);
  expect(words(results(...kept, ['other', 'fail']))).toMatch(/^Keeps 9,999 of 10,000 judged rules \(99\.9 %\)/);
  expect(words(results(...kept))).toMatch(/\(100 %\)\.$/);
  expect(words(results(['a', 'skip']))).toBeUndefined();
});
