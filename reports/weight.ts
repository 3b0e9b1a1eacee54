import type { Result } from '../harness/events.ts';

/** The lightest level of a deviation that counts. */
export type FailOn = 'must' | 'should';

/**
 * Whether a verdict makes the run one of a target that deviates: a failure, or a rule that could not be decided, of a level
 * that counts. Silence is never green.
 */
export function counts({ verdict, level }: Pick<Result, 'verdict' | 'level'>, failOn: FailOn): boolean {
  const isNotKept = verdict === 'fail' || verdict === 'blocked';
  return isNotKept && (level === 'must' || (level === 'should' && failOn === 'should'));
}
