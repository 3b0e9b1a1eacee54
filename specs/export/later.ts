import { isFieldRule } from '../catalogue.ts';
import type { Rule } from '../rule.ts';

/** What carried versions allow in addition to a rule, in words; empty if nothing. */
export function laterInWords(rule: Rule): string {
  if (rule.later) return `from ${rule.later.since} on also when it ${rule.later.says}`;
  const later = isFieldRule(rule) ? rule.field.schema.later : undefined;
  return later?.presence === 'optional' ? `from ${later.since} on it may be missing or null` : '';
}
