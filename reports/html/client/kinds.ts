import type { Verdict } from '../../../harness/events.ts';
import type { Level } from '../../../specs/statement.ts';

/** A verdict for display: a failure at level should is a separate kind. */
export type Kind = Verdict | 'should';

/** The kinds in the order of the pictures. */
export const kinds: Readonly<Record<Kind, { readonly label: string; readonly mark: string; readonly says: string }>> = {
  pass: { label: 'pass', mark: '✓', says: 'keeps the contract' },
  fail: { label: 'fail', mark: '✕', says: 'a deviation from the contract' },
  should: { label: 'should', mark: '!', says: 'a deviation where the documents are loose' },
  blocked: { label: 'blocked', mark: '⊘', says: 'a step before the check failed' },
  error: { label: 'error', mark: '‼', says: 'the kit itself failed' },
  waived: { label: 'waived', mark: '≈', says: 'a known deviation of the baseline' },
  skip: { label: 'skip', mark: '–', says: 'does not apply, or the host cannot do it' },
  observed: { label: 'observed', mark: '○', says: 'recorded, not judged' },
  untested: { label: 'untested', mark: '?', says: 'no check decides it' },
};

export function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}

export const kindNames: readonly Kind[] = Object.keys(kinds).filter(isKind);

/** What needs attention; shown first if there is any. */
export const problemKinds: readonly Kind[] = ['fail', 'should', 'blocked', 'error'];

/** What is counted besides passes: problems and known deviations. */
export const countedKinds: readonly Kind[] = [...problemKinds, 'waived'];

export function kindOf(result: { readonly verdict: Verdict; readonly level: Level }): Kind {
  return result.verdict === 'fail' && result.level === 'should' ? 'should' : result.verdict;
}

/** Number of results of each kind. */
export type KindCounts = Record<Kind, number>;

export function noCounts(): KindCounts {
  const ofProblems = { fail: 0, should: 0, blocked: 0, error: 0 };
  return { pass: 0, ...ofProblems, waived: 0, skip: 0, observed: 0, untested: 0 };
}

export function countKinds(results: readonly Parameters<typeof kindOf>[0][]): KindCounts {
  const counts = noCounts();
  for (const result of results) counts[kindOf(result)]++;
  return counts;
}
