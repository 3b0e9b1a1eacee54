import { endpointTitle } from '../specs/endpoint.ts';
import type { Rule } from '../specs/rule.ts';
import { wildcard } from '../specs/wildcard.ts';
import { didYouMean } from './nearest.ts';

/** Which rules a pattern means. */
export interface RulePattern {
  readonly text: string;
  readonly matches: (rule: Rule) => boolean;
}

/**
 * A pattern as users write it: a rule id, or an endpoint as `POST /containers/{id}/stop`, of which the method may be left
 * out. `*` stands for any characters in both; how a parameter of the path is called does not matter.
 */
export function rulePattern(text: string): RulePattern {
  const [, method = '*', path] = /^\s*(?:(\S+)\s+)?(\/.*?)\s*$/.exec(text) ?? [];
  if (path === undefined) {
    const id = wildcard(text);
    return { text, matches: (rule) => id.test(rule.id) };
  }
  const title = wildcard(nameless(`${method.toUpperCase()} ${path}`));
  return { text, matches: ({ endpoint }) => endpoint !== undefined && title.test(nameless(endpointTitle(endpoint))) };
}

/** Whether a text may mean several rules, and is no id of one. */
export function isPattern(text: string): boolean {
  return /[*/]/.test(text);
}

/** Why a pattern that means none of the rules does not, with what may have been meant. */
export function unmatched({ text }: RulePattern, rules: readonly Rule[]): string {
  if (text.includes('/')) {
    const known = new Set(rules.flatMap(({ endpoint }) => (endpoint ? [endpointTitle(endpoint)] : [])));
    return `no rule belongs to the endpoint '${text}'${didYouMean(text.replaceAll('*', ''), [...known])}`;
  }
  if (text.includes('*')) return `'${text}' matches no rule${didYouMean(text.replaceAll('*', ''), groupsOf(rules))}`;
  const ids = rules.map(({ id }) => id);
  const isGroup = ids.some((id) => id.startsWith(`${text}.`));
  const hint = isGroup ? `; '${text}.*' matches the rules under it` : didYouMean(text, ids);
  return `there is no rule '${text}'${hint}`;
}

/** The endpoint with its parameters without their names. */
function nameless(endpoint: string): string {
  return endpoint.replace(/\{[^}]*\}/g, '{}');
}

/** Ids with everything after their last dot left to `*`. */
function groupsOf(rules: readonly Rule[]): string[] {
  return [...new Set(rules.map(({ id }) => `${id.slice(0, id.lastIndexOf('.'))}.*`))];
}
