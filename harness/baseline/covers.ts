import type { Result } from '../events.ts';
import { isPattern } from '../rule-pattern.ts';
import type { BaselineEntry } from './baseline.ts';
import { fingerprintOf } from './fingerprint.ts';

/** Whether an entry for the rule and version of a result is about this particular deviation. */
export function covers({ verdict, fingerprint }: BaselineEntry, result: Result): boolean {
  return result.verdict === verdict && (fingerprint === undefined || fingerprint === fingerprintOf(result));
}

/**
 * Whether a result of an entry's rule and version that the entry does not cover still does not contradict it. A pattern
 * usually also matches rules that are only observed, or have no check.
 */
export function tellsNothing({ rule, intermittent }: BaselineEntry, { verdict }: Result): boolean {
  if (verdict === 'skip') return true;
  if (isPattern(rule) && (verdict === 'observed' || verdict === 'untested')) return true;
  return intermittent === true && verdict === 'pass';
}
