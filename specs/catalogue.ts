import { containerEndpoints, containerRules } from './containers/index.ts';
import type { Endpoint } from './endpoint.ts';
import { execEndpoints, execRules } from './exec/index.ts';
import { generatedRules } from './generated/index.ts';
import { imageEndpoints, imageRules } from './images/index.ts';
import { networkEndpoints, networkRules } from './networks/index.ts';

import type { FieldRule, Rule } from './rule.ts';
import { serviceRules } from './service.ts';
import { systemEndpoints, systemRules } from './system/index.ts';
import { request, tokenRules } from './token/request.ts';
import { versioningRules } from './versioning.ts';
import { volumeEndpoints, volumeRules } from './volumes/index.ts';

/** Every rule that a statement of the documents gives, by its id. */
const stated = {
  ...serviceRules,
  ...versioningRules,
  ...tokenRules,
  ...containerRules,
  ...imageRules,
  ...systemRules,
  ...execRules,
  ...volumeRules,
  ...networkRules,
};

export type StatedRuleId = keyof typeof stated;

/** Every rule of the contract by its id, and the properties that decide many of them at once. */
export const rulebook = { ...stated, ...generatedRules };

export type RuleId = keyof typeof rulebook;

/** Every rule that a statement gives, in the order of the documents. */
export const statedRules: readonly Rule[] = Object.values(stated);

/** The same and the properties. */
export const allRules: readonly Rule[] = Object.values(rulebook);

/** Every endpoint of the contract. */
export const allEndpoints: readonly Endpoint[] = [
  ...containerEndpoints,
  ...imageEndpoints,
  ...systemEndpoints,
  ...execEndpoints,
  ...volumeEndpoints,
  ...networkEndpoints,
  request,
];

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(rulebook, text);
}

/** Whether a rule of that id rests on a statement, and is no property. */
export function isStatedRuleId(text: string): text is StatedRuleId {
  return Object.hasOwn(stated, text);
}

export function isFieldRule(rule: Rule): rule is FieldRule {
  return 'field' in rule;
}
