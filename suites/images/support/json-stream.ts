import { check, checkRule, type Fixture } from '../../../harness/check.ts';
import type { Engine, RequestOptions } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { expectField } from '../../../harness/expect/field-rule.ts';
import { changesJson } from '../../../harness/faults/answers.ts';
import { retypesField } from '../../../harness/faults/fields.ts';
import { inEachObject } from '../../../harness/faults/objects.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import { decodeObjects, ObjectViolation } from '../../../harness/streams/objects.ts';
import { Deviation, NotApplicable } from '../../../harness/verdict/outcomes.ts';
import { errorsIn } from '../../support/error-objects.ts';
import { fieldRulesOf } from '../../support/field-checks.ts';

/**
 * Sends a request whose answer is a stream of JSON objects, which become a list in the exchange.
 * @throws Blocked when it is not answered with 200
 * @throws Deviation when the bytes are not a sequence of objects
 */
export function streamed(engine: Engine, path: string, options: RequestOptions): Promise<Exchange> {
  return inObjects(wholeStream(engine, path, options));
}

/** The same of a whole answer. */
export async function inObjects(whole: Promise<Exchange>): Promise<Exchange> {
  const answer = await given(whole, 200);
  return answer.narrowedTo(objectsIn(answer.answer.body));
}

/**
 * The same of the answer to a request that fails.
 * @throws NotApplicable when it is refused before a stream begins (interpretation `listed-codes`)
 */
export async function failureInObjects(whole: Promise<Exchange>): Promise<Exchange> {
  const { status } = await whole;
  if (status >= 400) throw new NotApplicable(`refuses with ${status} before a stream begins`);
  return inObjects(whole);
}

/** Sends a request and reads its answer as a stream, whatever its status is. */
export async function wholeStream(engine: Engine, path: string, options: RequestOptions): Promise<Exchange> {
  return (await engine.open('POST', path, options)).whole();
}

/**
 * Judges that a failure is reported as an error object in the stream of a 200 (Document 1, Errors). A daemon that
 * detects it before the stream begins may refuse the request instead, with a status listed for the endpoint
 * (interpretation `listed-codes`).
 */
export function expectFailureTold(answer: Exchange): void {
  if (answer.status >= 400) {
    expect(answer).toBeRefused();
    return;
  }
  expect(answer).toHaveStatus(200);
  const errors = errorsIn(objectsIn(answer.answer.body), answer);
  expectValue('the error objects in the stream', errors.length, [answer]).toBeAtLeast(1);
}

function objectsIn(bytes: Buffer): JsonValue[] {
  try {
    return decodeObjects(bytes).map(({ value }) => value);
  } catch (error) {
    if (error instanceof ObjectViolation) throw new Deviation('JSON objects one after another', error.message);
    throw error;
  }
}

/** The objects in an exchange from `streamed`. */
export function objectsOf(answer: Exchange): Readonly<Record<string, JsonValue>>[] {
  return Array.isArray(answer.json) ? answer.json.filter(isObject) : [];
}

/** Declares the checks of field rules for a stream's objects. Any member may be missing, and then it is not judged. */
export function checkObjectFields(
  prefix: `${StreamEndpoint}.field.`,
  success: Fixture<Exchange>,
  failure: Fixture<Exchange>,
): void {
  checkMembers(prefix, success);
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

type StreamEndpoint = 'images.create' | 'images.push' | 'images.load';

/** Objects without any documented member are not progress (interpretation `progress-members`). */
function checkMembers(prefix: `${StreamEndpoint}.field.`, success: Fixture<Exchange>): void {
  // biome-ignore lint/plugin: what stands before it in the prefix
  const id = `${prefix.replace('.field.', '') as StreamEndpoint}.progress-members` as const;
  const members = fieldRulesOf(prefix).map(({ field }) => field.path);
  const other = inEachObject(changesJson('sends other members only', () => ({ msg: 'going on' })));
  check(id, { faults: [other] }, async ({ use }) => {
    const answer = await use(success);
    const telling = objectsOf(answer).filter((object) => members.some((member) => valuesAt(object, member).length > 0));
    expectValue('the objects that have a member of progress', telling.length, [answer]).toBeAtLeast(1);
  });
}
