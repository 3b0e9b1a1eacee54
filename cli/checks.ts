import '../suites/index.ts';
import { allChecks, type Check } from '../harness/check.ts';

/** The checks that the suites declare, by rule id. */
export function declaredChecks(): ReadonlyMap<string, Check> {
  return allChecks();
}
