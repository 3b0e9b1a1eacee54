import type { Check } from '../harness/check.ts';
import { factsOf } from '../reports/rule-facts.ts';
import { isFieldRule } from '../specs/catalogue.ts';
import { laterInWords } from '../specs/export/later.ts';
import type { Rule } from '../specs/rule.ts';
import { apiVersions, holdsIn } from '../specs/versions.ts';

/** A rule with its check, as `list --format json` and `explain` show it. */
export function viewOf(rule: Rule, check: Check | undefined) {
  const { says, endpoint, source, interpretations } = factsOf(rule.id, rule);
  return {
    id: rule.id,
    area: rule.area,
    kind: rule.kind,
    level: rule.level,
    says,
    ...(rule.since && { since: rule.since }),
    ...(rule.until && { until: rule.until }),
    ...(laterInWords(rule) && { later: laterInWords(rule) }),
    apis: apiVersions.filter((version) => holdsIn(rule, version)),
    ...(endpoint !== undefined && { endpoint }),
    source,
    ...(isFieldRule(rule) && { field: rule.field.path }),
    ...(rule.decides && { decides: rule.decides }),
    interpretations,
    needs: rule.needs,
    checked: check !== undefined,
    faults: check?.faults.map(({ name }) => name) ?? [],
    ...(rule.unchecked !== undefined && { unchecked: rule.unchecked }),
  };
}
