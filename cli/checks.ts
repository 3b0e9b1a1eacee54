import { allChecks, type Check } from '../harness/check.ts';
import type { Rule } from '../specs/rule.ts';
import { loadSuites } from '../suites/areas.ts';

/**
 * The checks that the suites declare for these rules, by rule id. Only the suites of their areas are loaded.
 * @returns rules without a check have no entry
 */
export async function checksOf(rules: readonly Rule[]): Promise<ReadonlyMap<string, Check>> {
  const ids = rules.map(({ id }) => id);
  await loadSuites(ids);
  const checks = allChecks();
  return new Map(
    ids.flatMap((id) => {
      const check = checks.get(id);
      return check ? [[id, check] as const] : [];
    }),
  );
}
