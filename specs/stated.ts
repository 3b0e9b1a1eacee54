import { containerRules } from './containers/index.ts';
import { execRules } from './exec/index.ts';
import { imageRules } from './images/index.ts';
import { networkRules } from './networks/index.ts';
import { serviceRules } from './service.ts';
import { systemRules } from './system/index.ts';
import { tokenRules } from './token/request.ts';
import { versioningRules } from './versioning.ts';
import { volumeRules } from './volumes/index.ts';

/** Every rule from a statement of the documents, by its id. */
export const stated = {
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

/** Whether this is the id of a rule from a statement, and not of a property. */
export function isStatedRuleId(text: string): text is StatedRuleId {
  return Object.hasOwn(stated, text);
}
