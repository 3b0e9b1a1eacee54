import { type CheckOptions, checkRule, type Fixture } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { observe } from '../../harness/expect/expect.ts';
import { expectField, type FieldOptions } from '../../harness/expect/field-rule.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { fieldFaults } from '../../harness/faults/fields.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';
import { allRules, isFieldRule, type RuleId, rulebook } from '../../specs/catalogue.ts';
import type { FieldRule } from '../../specs/rule.ts';

/** The field rules whose ids start with `prefix`. */
export function fieldRulesOf(prefix: string): FieldRule[] {
  return allRules.filter(isFieldRule).filter(({ id }) => id.startsWith(prefix));
}

/** One field rule by its id. @throws when there is none */
export function fieldRule(id: RuleId): FieldRule {
  const rule = rulebook[id];
  if (!isFieldRule(rule)) throw new Error(`${id} is no field rule`);
  return rule;
}

/**
 * Declares the checks of field rules that shared exchanges decide.
 * @param exchange the answers with the fields; where there are several, the fields have to be right in each
 * @param options exceptions for single fields, by their path
 * @param through applies a fault of a JSON body to the place of the fields, when they are elsewhere
 */
export function checkFields(
  rules: readonly FieldRule[],
  exchange: Fixture<Exchange> | readonly [Fixture<Exchange>, ...Fixture<Exchange>[]],
  options: Readonly<Record<string, FieldOptions & Pick<CheckOptions, 'notOn' | 'slowToFail'> & FurtherFaults>> = {},
  through: (fault: Fault) => Fault = (fault) => fault,
): void {
  const exchanges = 'make' in exchange ? ([exchange] as const) : exchange;
  for (const rule of rules) {
    const { notOn, slowToFail, faults: further = [], ...special } = options[rule.field.path] ?? {};
    const { path, schema } = rule.field;
    if (rule.level === 'observe') {
      observeField(rule, exchanges[0]);
      continue;
    }
    const faults = [...fieldFaults(path, schema), ...further].map(through);
    checkRule(rule, { faults, ...(notOn && { notOn }), ...(slowToFail && { slowToFail }) }, async ({ use }) => {
      const lighter: Deviation[] = [];
      for (const one of exchanges) {
        const answer = await use(one);
        try {
          expectField(answer, rule, special);
        } catch (error) {
          // A later answer may have a more serious deviation.
          if (!(error instanceof Deviation) || error.level === 'must') throw error;
          lighter.push(error);
        }
      }
      if (lighter[0]) throw lighter[0];
    });
  }
}

interface FurtherFaults {
  /** In addition to those derived from the field's schema. */
  readonly faults?: readonly Fault[];
}

/** A field for which the documents state neither a type nor when it is present. */
function observeField(rule: FieldRule, exchange: Fixture<Exchange>): void {
  checkRule(rule, { faults: [] }, async ({ use }) => {
    const answer = await use(exchange);
    const there = valuesAt(answer.json, rule.field.path).length > 0;
    observe(`${there ? 'has' : 'does not have'} ${rule.field.path}`, answer);
  });
}
