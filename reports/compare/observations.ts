import type { ApiVersion } from '../../specs/versions.ts';
import type { Observation } from '../observations.ts';

/** A matter for which reports have different observations. */
export interface ObservationDifference {
  readonly rule: string;
  readonly says: string;
  /** By report index: what it observed, in which versions; empty when it observed nothing. */
  readonly facts: readonly Observation['facts'][];
}

/** The matters on which the reports that observed them disagree. */
export function observationDifferences(reports: readonly (readonly Observation[])[]): ObservationDifference[] {
  const matters = new Map<string, { says: string; facts: Observation['facts'][] }>();
  for (const [place, observations] of reports.entries()) {
    for (const { rule, says, facts } of observations) {
      const matter = matters.get(rule) ?? { says, facts: reports.map(() => []) };
      matter.facts[place] = facts;
      matters.set(rule, matter);
    }
  }
  return [...matters].filter(([, { facts }]) => differ(facts)).map(([rule, matter]) => ({ rule, ...matter }));
}

/** In a version that both have: which versions a report judged says nothing about the engine. */
function differ(reports: readonly Observation['facts'][]): boolean {
  const byApi = new Map<ApiVersion, Set<string>>();
  for (const facts of reports) {
    for (const api of new Set(facts.flatMap(({ apis }) => apis))) {
      const own = facts.filter(({ apis }) => apis.includes(api)).map(({ fact }) => fact);
      byApi.set(api, (byApi.get(api) ?? new Set()).add(JSON.stringify(own.toSorted())));
    }
  }
  return [...byApi.values()].some((seen) => seen.size > 1);
}
