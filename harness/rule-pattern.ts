import { endpointTitle } from '../specs/endpoint.ts';
import type { Rule } from '../specs/rule.ts';
import { wildcard } from '../specs/wildcard.ts';
import { didYouMean } from './nearest.ts';

/** Which rules a pattern matches. */
export interface RulePattern {
  readonly text: string;
  readonly matches: (rule: Rule) => boolean;
}

/**
 * A pattern as users write it: a rule id, or an endpoint such as `POST /containers/{id}/stop`, with or without its
 * method. `*` stands for any characters in both; the names of path parameters do not matter.
 */
export function rulePattern(text: string): RulePattern {
  const [, method = '*', path] = /^\s*(?:(\S+)\s+)?(\/.*?)\s*$/.exec(text) ?? [];
  if (path === undefined) {
    // A baseline names hundreds of rules.
    if (!isPattern(text)) return { text, matches: ({ id }) => id === text };
    const id = wildcard(text);
    return { text, matches: (rule) => id.test(rule.id) };
  }
  const title = wildcard(nameless(`${method.toUpperCase()} ${path}`));
  return { text, matches: ({ endpoint }) => endpoint !== undefined && title.test(nameless(endpointTitle(endpoint))) };
}

/** Whether a text may match several rules, and is not a rule id. */
export function isPattern(text: string): boolean {
  return /[*/]/.test(text);
}

/** Why a pattern matches none of the rules, with what may have been meant. */
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

/** The endpoint without the names of its parameters. */
function nameless(endpoint: string): string {
  return endpoint.replace(/\{[^}]*\}/g, '{}');
}

/** Ids with everything after their last dot replaced by `*`. */
function groupsOf(rules: readonly Rule[]): string[] {
  return [...new Set(rules.map(({ id }) => `${id.slice(0, id.lastIndexOf('.'))}.*`))];
}
