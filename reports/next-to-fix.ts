import type { Cause } from './causes/cause.ts';

/** What to mend first: the gravest cause that is one of the target. Undefined when there is none. */
export function nextToFix(causes: readonly Cause[]): Cause | undefined {
  return causes.find(({ sort }) => sort !== 'not-reached');
}
