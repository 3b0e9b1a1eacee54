import { checkRule, type Fixture } from '../../harness/check.ts';
import type { Engine, RequestOptions } from '../../harness/engine/engine.ts';
import { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { isObject, valuesAt } from '../../harness/expect/json-path.ts';
import { retypesField } from '../../harness/faults/fields.ts';
import { inEachObject } from '../../harness/faults/objects.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { decodeObjects, ObjectViolation } from '../../harness/streams/objects.ts';
import { Deviation, NotApplicable } from '../../harness/verdict/outcomes.ts';
import { fieldRulesOf } from '../field-checks.ts';

/**
 * Sends a request whose answer is a stream of JSON objects, which become a list in the exchange.
 * @throws Blocked when it is not answered with 200
 * @throws Deviation when the bytes are no objects one after another
 */
export async function streamed(engine: Engine, path: string, options: RequestOptions): Promise<Exchange> {
  const live = await given(engine.open('POST', path, options), 200);
  const bytes = await live.rest();
  const { id, request, status } = live;
  const whole = new Exchange(id, request, { status, headers: [], body: bytes }, engine.target.dialect);
  return whole.narrowedTo(objectsIn(bytes));
}

function objectsIn(bytes: Buffer): JsonValue[] {
  try {
    return decodeObjects(bytes).map(({ value }) => value);
  } catch (error) {
    if (error instanceof ObjectViolation) throw new Deviation('JSON objects one after another', error.message);
    throw error;
  }
}

/** The objects of an exchange that `streamed` gave. */
export function objectsOf(answer: Exchange): Readonly<Record<string, JsonValue>>[] {
  return Array.isArray(answer.json) ? answer.json.filter(isObject) : [];
}

/** Declares the checks of field rules of a stream's objects; every member may be missing, and then none is judged. */
export function checkObjectFields(prefix: string, success: Fixture<Exchange>, failure: Fixture<Exchange>): void {
  for (const rule of fieldRulesOf(prefix)) {
    const { path, schema } = rule.field;
    const retyped = retypesField(path, schema);
    checkRule(rule, { faults: retyped ? [inEachObject(retyped)] : [] }, async ({ use }) => {
      const answer = await use(path === 'error' ? failure : success);
      const holding = objectsOf(answer).filter((object) => valuesAt(object, path).length > 0);
      if (holding.length === 0) throw new NotApplicable(`no object of the stream has ${path}, and it need not`);
      expectField(answer.narrowedTo(holding), rule);
    });
  }
}
