import { didYouMean } from '../harness/nearest.ts';
import { isPattern, type RulePattern, rulePattern, unmatched } from '../harness/rule-pattern.ts';
import type { ApiWish } from '../harness/target/judged-versions.ts';
import { UsageError } from '../harness/usage-error.ts';
import { allRules } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import type { Level } from '../specs/statement.ts';
import { type ApiVersion, apiVersions, holdsIn, isApiVersion, versionsInWords } from '../specs/versions.ts';

/** Selects the rules of a command. */
export interface SelectionFlags {
  readonly api?: readonly ApiWish[];
  /** Patterns of rule ids and endpoints, at least one of which must match. */
  readonly only?: readonly string[];
  /** Patterns, none of which may match. */
  readonly skip?: readonly string[];
  readonly area?: readonly string[];
  readonly level?: readonly Level[];
}

export interface Selection {
  /** Absent when the user requested none: then it depends on what the target serves. */
  readonly apis?: readonly ApiWish[];
  /** Rules that hold in at least one of the versions, as far as these are known, in catalogue order. */
  readonly rules: readonly Rule[];
  /** Whether all rules of the contract are selected. */
  readonly whole: boolean;
}

/**
 * The rules that the flags select: those that a pattern of `only` matches, with one of the given areas and levels,
 * without those that a pattern of `skip` matches.
 * @throws UsageError for a pattern or area that matches nothing, with the nearest one that would, and when no rule is
 * left
 */
export function select(flags: SelectionFlags, rules: readonly Rule[] = allRules): Selection {
  const { api, only, skip = [], area, level } = flags;
  const wanted = only === undefined ? rules : matching(only, rules);
  const unwanted = new Set(matching(skip, rules));
  const areas = area && knownAreas(area, rules);
  const chosen = wanted.filter(
    (rule) => !unwanted.has(rule) && areas?.has(rule.area) !== false && level?.includes(rule.level) !== false,
  );
  if (chosen.length === 0) throw new UsageError(noneLeft(flags));
  const whole = [only, area, level].every((flag) => flag === undefined) && skip.length === 0;
  if (!api?.every(isApiVersion)) return { ...(api && { apis: api }), rules: chosen, whole };
  const holding = chosen.filter((rule) => api.some((version) => holdsIn(rule, version)));
  if (holding.length === 0) throw new UsageError(noneHolds(chosen, api));
  return { apis: api, rules: holding, whole };
}

/**
 * The rule with this id.
 * @throws UsageError for an unknown one, with the nearest known id
 */
export function ruleOf(id: string, rules: readonly Rule[] = allRules): Rule {
  const rule = rules.find((one) => one.id === id);
  const matched = isPattern(id) ? rules.filter(rulePattern(id).matches) : [];
  const [first] = matched;
  if (first) throw new UsageError(`'${id}' is a pattern, and one rule is wanted by its id, such as ${first.id}`);
  if (!rule) throw new UsageError(unmatched(rulePattern(id), rules));
  return rule;
}

/**
 * The rules that match at least one of the patterns.
 * @throws UsageError for a pattern that matches none
 */
export function matching(patterns: readonly string[], rules: readonly Rule[] = allRules): Rule[] {
  const known = patterns.map((text): RulePattern => {
    const pattern = rulePattern(text);
    if (!rules.some(pattern.matches)) throw new UsageError(unmatched(pattern, rules));
    return pattern;
  });
  return rules.filter((rule) => known.some(({ matches }) => matches(rule)));
}

function knownAreas(names: readonly string[], rules: readonly Rule[]): ReadonlySet<string> {
  const areas = [...new Set(rules.map(({ area }) => area))];
  for (const name of names) {
    if (areas.includes(name)) continue;
    const hint = didYouMean(name, areas) || `; the areas are ${areas.join(', ')}`;
    throw new UsageError(`there is no area '${name}'${hint}`);
  }
  return new Set(names);
}

function noneLeft(flags: SelectionFlags): string {
  const given = (['only', 'area', 'level', 'skip'] as const).filter((name) => flags[name] !== undefined);
  return `no rule matches ${given.map((name) => `--${name}`).join(' and ')} together`;
}

function noneHolds(rules: readonly Rule[], apis: readonly ApiVersion[]): string {
  const holding = apiVersions.filter((version) => rules.some((rule) => holdsIn(rule, version)));
  return `none of the ${rules.length} chosen rules holds in API ${versionsInWords(apis)}, only in ${versionsInWords(holding)}`;
}
