import type { Result } from '../events.ts';
import type { BaselineEntry } from './baseline.ts';
import { fingerprintOf } from './fingerprint.ts';

/** Whether an entry, which is about the rule and version of a result, is about this very deviation. */
export function covers({ verdict, fingerprint }: BaselineEntry, result: Result): boolean {
  return result.verdict === verdict && (fingerprint === undefined || fingerprint === fingerprintOf(result));
}
