import type { Result } from '../harness/events.ts';
import type { ApiVersion } from '../specs/versions.ts';
import { isNotReached } from './causes/seen.ts';

/** What keeps a report from being green, most serious first. */
export type Gravity = 'must' | 'error' | 'blocked' | 'should';

const gravities: readonly Gravity[] = ['must', 'error', 'blocked', 'should'];

/** A verdict that somebody must look at, once for all versions with the same outcome. */
export interface Deviation {
  readonly gravity: Gravity;
  readonly apis: readonly ApiVersion[];
  readonly result: Result;
}

/**
 * The failed, blocked and erroneous rules of a run: most serious first, what the run did not reach after all that was
 * blocked by something else, and otherwise in the order of the results.
 */
export function deviationsOf(results: readonly Result[]): Deviation[] {
  const alike = new Map<string, { gravity: Gravity; apis: ApiVersion[]; result: Result }>();
  for (const result of results) {
    const gravity = gravityOf(result);
    if (!gravity) continue;
    const key = JSON.stringify([result.rule, gravity, result.reason, result.expected, result.actual]);
    const same = alike.get(key);
    if (same) same.apis.push(result.api);
    else alike.set(key, { gravity, apis: [result.api], result });
  }
  const list = [...alike.values()].toSorted(
    (one, other) => Number(isNotReached(one.result)) - Number(isNotReached(other.result)),
  );
  return gravities.flatMap((gravity) => list.filter((one) => one.gravity === gravity));
}

function gravityOf({ verdict, level }: Result): Gravity | undefined {
  if (verdict === 'fail') return level === 'should' ? 'should' : 'must';
  return verdict === 'blocked' || verdict === 'error' ? verdict : undefined;
}
