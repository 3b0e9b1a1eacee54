import { containerEndpoints, containerRules } from './containers/index.ts';
import type { Endpoint } from './endpoint.ts';
import { imageEndpoints, imageRules } from './images/index.ts';
import type { FieldRule, Rule } from './rule.ts';
import { serviceRules } from './service.ts';
import { systemEndpoints, systemRules } from './system/index.ts';
import { versioningRules } from './versioning.ts';

/** Every rule of the contract by its id. */
export const rulebook = {
  ...serviceRules,
  ...versioningRules,
  ...containerRules,
  ...imageRules,
  ...systemRules,
};

export type RuleId = keyof typeof rulebook;

/** Every rule, in the order of the documents. */
export const allRules: readonly Rule[] = Object.values(rulebook);

/** Every endpoint of the contract. */
export const allEndpoints: readonly Endpoint[] = [...containerEndpoints, ...imageEndpoints, ...systemEndpoints];

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(rulebook, text);
}

export function isFieldRule(rule: Rule): rule is FieldRule {
  return 'field' in rule;
}
