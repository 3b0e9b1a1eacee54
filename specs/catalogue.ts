import { containerEndpoints } from './containers/index.ts';
import type { Endpoint } from './endpoint.ts';
import { execEndpoints } from './exec/index.ts';
import { generatedRules } from './generated/index.ts';
import { imageEndpoints } from './images/index.ts';
import { networkEndpoints } from './networks/index.ts';
import type { FieldRule, Rule } from './rule.ts';
import { stated } from './stated.ts';
import { systemEndpoints } from './system/index.ts';
import { request } from './token/request.ts';
import { volumeEndpoints } from './volumes/index.ts';

/** Every rule of the contract by its id, and the properties that decide many of them at once. */
export const rulebook = { ...stated, ...generatedRules };

export type RuleId = keyof typeof rulebook;

/** Every rule from a statement, in the order of the documents. */
export const statedRules: readonly Rule[] = Object.values(stated);

/** The same, followed by the properties. */
export const allRules: readonly Rule[] = Object.values(rulebook);

const endpoints = [
  ...containerEndpoints,
  ...imageEndpoints,
  ...systemEndpoints,
  ...execEndpoints,
  ...volumeEndpoints,
  ...networkEndpoints,
  request,
] as const;

/** Every endpoint of the contract. */
export const allEndpoints: readonly Endpoint[] = endpoints;

/** The title of an endpoint of the contract: `POST /containers/{id}/stop`. */
export type KnownEndpoint = TitleOf<(typeof endpoints)[number]>;

type TitleOf<E extends Endpoint> = E extends Endpoint ? `${E['method']} ${E['path']}` : never;

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(rulebook, text);
}

export function isFieldRule(rule: Rule): rule is FieldRule {
  return 'field' in rule;
}
