import { isFieldRule, statedRules } from '../catalogue.ts';
import { coverage } from '../coverage.ts';
import { endpointTitle } from '../endpoint.ts';
import type { Kind, Rule } from '../rule.ts';
import type { Level } from '../statement.ts';
import { type ApiVersion, apiVersions, holdsIn, type Span } from '../versions.ts';

/** All data of a rule, as plain JSON. */
export interface RuleRecord extends Span {
  readonly id: string;
  readonly area: string;
  readonly kind: Kind;
  readonly level: Level;
  readonly says: string;
  readonly source: { readonly document: number; readonly section: string };
  /** The statements of the documents that the rule is based on, by short names. */
  readonly rows: readonly { readonly document: number; readonly section: string; readonly key: string }[];
  readonly apis: readonly ApiVersion[];
  readonly endpoint?: string;
  readonly needs: readonly string[];
  readonly interpretations: readonly string[];
  /** The path of the field, for rules derived from a schema. */
  readonly field?: string;
  readonly unchecked?: string;
}

/** The rules of one version, or of all of them, as plain data. */
export function ruleRecords(api?: ApiVersion, rules: readonly Rule[] = statedRules): RuleRecord[] {
  const rows = rowsByRule();
  return rules
    .filter((rule) => api === undefined || holdsIn(rule, api))
    .map((rule) => ({
      id: rule.id,
      area: rule.area,
      kind: rule.kind,
      level: rule.level,
      says: rule.says,
      source: { document: rule.source[0], section: rule.source[1] },
      rows: rows.get(rule.id) ?? [],
      apis: apiVersions.filter((version) => holdsIn(rule, version)),
      ...(rule.since && { since: rule.since }),
      ...(rule.until && { until: rule.until }),
      ...(rule.endpoint && { endpoint: endpointTitle(rule.endpoint) }),
      needs: rule.needs,
      interpretations: rule.interpretations,
      ...(isFieldRule(rule) && { field: rule.field.path }),
      ...(rule.unchecked !== undefined && { unchecked: rule.unchecked }),
    }));
}

function rowsByRule(): ReadonlyMap<string, RuleRecord['rows']> {
  const rows = new Map<string, RuleRecord['rows'][number][]>();
  for (const { source, rows: statements } of coverage()) {
    for (const { key, rules } of statements) {
      for (const { id } of rules)
        rows.set(id, [...(rows.get(id) ?? []), { document: source[0], section: source[1], key }]);
    }
  }
  return rows;
}
