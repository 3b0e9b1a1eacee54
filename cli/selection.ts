import type { ApiWish } from '../harness/target/judged-versions.ts';
import { UsageError } from '../harness/usage-error.ts';
import { allRules } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import { type ApiVersion, apiVersions, holdsIn, isApiVersion, versionsInWords } from '../specs/versions.ts';
import { didYouMean } from './nearest.ts';

/** Which rules a command is about. */
export interface SelectionFlags {
  readonly api?: readonly ApiWish[];
  readonly only?: readonly string[];
}

export interface Selection {
  /** Absent when the user asked for none: which are judged is then a matter of what the target serves. */
  readonly apis?: readonly ApiWish[];
  /** Rules that hold in at least one of the versions, as far as these are known, in the order of the catalogue. */
  readonly rules: readonly Rule[];
  /** Whether every rule of the contract is meant. */
  readonly whole: boolean;
}

/**
 * The rules whose ids match one of the patterns, where `*` stands for any characters; all of them without patterns.
 * @throws UsageError for a pattern that matches nothing, with the nearest known id
 */
export function select({ api, only }: SelectionFlags, rules: readonly Rule[] = allRules): Selection {
  const chosen = only === undefined ? rules : matching(only, rules);
  const whole = only === undefined;
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
  if (!rule) throw new UsageError(unknownRule(id, rules));
  return rule;
}

function matching(patterns: readonly string[], rules: readonly Rule[]): Rule[] {
  const matchers = patterns.map((pattern) => {
    const matcher = toRegExp(pattern);
    if (!rules.some(({ id }) => matcher.test(id))) throw new UsageError(unmatched(pattern, rules));
    return matcher;
  });
  return rules.filter(({ id }) => matchers.some((matcher) => matcher.test(id)));
}

function toRegExp(pattern: string): RegExp {
  const literals = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`);
}

function unmatched(pattern: string, rules: readonly Rule[]): string {
  return pattern.includes('*')
    ? `--only '${pattern}' matches no rule${didYouMean(pattern.replaceAll('*', ''), groupsOf(rules))}`
    : unknownRule(pattern, rules);
}

function unknownRule(id: string, rules: readonly Rule[]): string {
  const group = rules.some((rule) => rule.id.startsWith(`${id}.`));
  const hint = group
    ? `; '${id}.*' matches the rules below it`
    : didYouMean(
        id,
        rules.map((rule) => rule.id),
      );
  return `there is no rule '${id}'${hint}`;
}

/** Ids with everything after their last dot left to `*`. */
function groupsOf(rules: readonly Rule[]): string[] {
  return [...new Set(rules.map(({ id }) => `${id.slice(0, id.lastIndexOf('.'))}.*`))];
}

function noneHolds(rules: readonly Rule[], apis: readonly ApiVersion[]): string {
  const holding = apiVersions.filter((version) => rules.some((rule) => holdsIn(rule, version)));
  return `none of the ${rules.length} chosen rules holds in API ${versionsInWords(apis)}; they hold in ${versionsInWords(holding)}`;
}
