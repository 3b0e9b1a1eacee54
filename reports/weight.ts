import type { Result } from '../harness/events.ts';

/** The lowest level of a deviation that counts. */
export type FailOn = 'must' | 'should';

/**
 * Whether a verdict makes a target deviate: a failure, or an undecided rule, at a level that counts. Silence is never
 * green.
 */
export function counts({ verdict, level }: Pick<Result, 'verdict' | 'level'>, failOn: FailOn): boolean {
  const isNotKept = verdict === 'fail' || verdict === 'blocked';
  return isNotKept && (level === 'must' || (level === 'should' && failOn === 'should'));
}
