import type { StatedRuleId } from '../../../../specs/stated.ts';
import { type AskedValue, passingIf } from './filter-results.ts';

/** The label that some of the trial's things have. */
export const labelKey = 'ec.listed';

/** The label value to ask for: any, or this one. */
export type AskedLabel = '' | 'a' | 'b';

/**
 * A value of a filter `label`.
 * @param rules the rules for the key alone, and for the key with a value
 */
export function labelled<Thing>(
  value: AskedLabel,
  rules: { readonly key: StatedRuleId; readonly value: StatedRuleId },
  labelOf: (thing: Thing) => string | null,
): AskedValue<Thing> {
  return {
    text: value === '' ? labelKey : `${labelKey}=${value}`,
    rule: value === '' ? rules.key : rules.value,
    passes: (thing) => {
      const label = labelOf(thing);
      return passingIf(label !== null && (value === '' || label === value));
    },
  };
}
