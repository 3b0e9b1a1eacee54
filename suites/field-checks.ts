import { type CheckOptions, checkRule, type Fixture } from '../harness/check.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { observe } from '../harness/expect/expect.ts';
import { expectField, type FieldOptions } from '../harness/expect/field-rule.ts';
import { valuesAt } from '../harness/expect/json-path.ts';
import type { Fault } from '../harness/faults/fault.ts';
import { fieldFaults } from '../harness/faults/fields.ts';
import { allRules, isFieldRule, type RuleId, rulebook } from '../specs/catalogue.ts';
import type { FieldRule } from '../specs/rule.ts';

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
 * Declares the checks of field rules that one shared exchange decides.
 * @param options what is special about single fields, by their path
 * @param through brings a fault of a JSON body to where the fields are, when they are elsewhere
 */
export function checkFields(
  rules: readonly FieldRule[],
  exchange: Fixture<Exchange>,
  options: Readonly<Record<string, FieldOptions & Pick<CheckOptions, 'notOn'>>> = {},
  through: (fault: Fault) => Fault = (fault) => fault,
): void {
  for (const rule of rules) {
    const { notOn, ...special } = options[rule.field.path] ?? {};
    const { path, schema } = rule.field;
    if (rule.level === 'observe') {
      observeField(rule, exchange);
      continue;
    }
    const faults = fieldFaults(path, schema).map(through);
    checkRule(rule, { faults, ...(notOn && { notOn }) }, async ({ use }) => {
      expectField(await use(exchange), rule, special);
    });
  }
}

/** A field of which the documents state neither the type nor when it is there. */
function observeField(rule: FieldRule, exchange: Fixture<Exchange>): void {
  checkRule(rule, { faults: [] }, async ({ use }) => {
    const answer = await use(exchange);
    const there = valuesAt(answer.json, rule.field.path).length > 0;
    observe(`${there ? 'has' : 'does not have'} ${rule.field.path}`, answer);
  });
}
