import { checkRule, type Fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { valuesAt } from '../../harness/expect/json-path.ts';
import { retypesField } from '../../harness/faults/fields.ts';
import { inEachObject } from '../../harness/faults/objects.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { fieldRulesOf } from '../field-checks.ts';
import { objectsIn } from './published.ts';

/** Makes a request that is answered with objects; they are to be judged as one list. @throws Blocked */
export async function streamed(
  engine: Engine,
  path: string,
  options: { query?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<Exchange> {
  const live = await given(engine.open('POST', path, options), 200);
  const body = await live.rest();
  const { id, request, status } = live;
  const whole = new Exchange(id, request, { status, headers: [], body }, engine.target.dialect);
  return whole.narrowedTo(objectsIn(body));
}

/**
 * Declares the checks of the fields that progress objects may have (interpretation `progress-members`): where one is
 * there, it is of its type.
 */
export function checkStreamFields(prefix: string, success: Fixture<Exchange>, failure: Fixture<Exchange>): void {
  for (const rule of fieldRulesOf(prefix)) {
    const { path, schema } = rule.field;
    const retyped = retypesField(path, schema);
    const faults = retyped ? [inEachObject(retyped)] : [];
    checkRule(rule, { faults }, async ({ use }) => {
      const exchange = await use(path === 'error' ? failure : success);
      const all = Array.isArray(exchange.json) ? exchange.json : [];
      const holding = all.filter((object) => valuesAt(object, path).length > 0);
      if (holding.length === 0) throw new NotApplicable(`no object of the stream has ${path}, and it need not`);
      expectField(exchange.narrowedTo(holding), rule);
    });
  }
}
