import type { Result } from '../harness/events.ts';
import type { Rule } from '../specs/rule.ts';
import type { ApiVersion } from '../specs/versions.ts';
import { factsOf } from './rule-facts.ts';

/** What was observed about one matter that the documents leave open. */
export interface Observation {
  readonly rule: string;
  /** The matter in words. */
  readonly says: string;
  /** The same behaviour has the same words, so that engines can be compared; each fact with its versions. */
  readonly facts: readonly { readonly fact: string; readonly apis: readonly ApiVersion[] }[];
}

/** The observations of a run, in the order of its results. */
export function observationsOf(results: readonly Result[], rules: readonly Rule[]): Observation[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const seen = new Map<string, Map<string, ApiVersion[]>>();
  for (const { rule, api, reason } of results.filter(({ verdict }) => verdict === 'observed')) {
    const facts = seen.get(rule) ?? new Map<string, ApiVersion[]>();
    facts.set(reason, [...(facts.get(reason) ?? []), api]);
    seen.set(rule, facts);
  }
  return [...seen].map(([rule, facts]) => ({
    rule,
    says: factsOf(rule, byId.get(rule)).says,
    facts: [...facts].map(([fact, apis]) => ({ fact, apis })),
  }));
}
