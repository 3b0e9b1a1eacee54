import { createHash } from 'node:crypto';
import { isFieldRule } from '../specs/catalogue.ts';
import { endpointTitle } from '../specs/endpoint.ts';
import type { Rule } from '../specs/rule.ts';

/** Identifies the set of rules that a run was judged by. */
export interface Catalogue {
  /** Number of rules, including those that were not chosen. */
  readonly rules: number;
  /** The same for the same rules: `sha256:` and 64 hex digits. */
  readonly digest: string;
}

/** The identity of a catalogue: it changes with every id, sentence, level, source, version or endpoint of a rule. */
export function catalogueOf(rules: readonly Rule[]): Catalogue {
  const hash = createHash('sha256');
  for (const rule of rules) hash.update(`${JSON.stringify(statementOf(rule))}\n`);
  return { rules: rules.length, digest: `sha256:${hash.digest('hex')}` };
}

function statementOf(rule: Rule) {
  const { id, kind, level, says, source, since, until, needs, interpretations, unchecked } = rule;
  const endpoint = rule.endpoint && endpointTitle(rule.endpoint);
  const field = isFieldRule(rule) ? rule.field : undefined;
  return { id, kind, level, says, source, since, until, endpoint, needs, interpretations, field, unchecked };
}
