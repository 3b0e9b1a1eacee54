import type { Cause } from './causes/cause.ts';

/** What to fix first: the most serious cause in the target. Undefined when there is none. */
export function nextToFix(causes: readonly Cause[]): Cause | undefined {
  return causes.find(({ sort }) => sort !== 'not-reached');
}
