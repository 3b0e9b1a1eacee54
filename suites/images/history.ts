import { check, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { missingImage } from './support/committed-images.ts';
import { described } from './support/common-images.ts';

function history(engine: Engine, name: string) {
  return engine.get(`/images/${name}/history`);
}

/** Nothing in it is judged yet. */
const asked = doneOnce('the answer to the history of a committed image', async ({ engine, use }) =>
  history(engine, (await use(described)).name),
);

const plain = fixture('the history of a committed image', (context) => given(asked(context), 200));

checkFields(fieldRulesOf('images.history.field.'), plain);

check('images.history.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await asked(context)).toHaveStatus(200);
});

check('images.history.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async (context) => {
  const { engine } = context;
  await control(asked(context), 200);
  expect(await history(engine, engine.unusedName('image'))).toHaveStatus(404);
});

check('images.history.by-name', { faults: [missingImage] }, async (context) => {
  expect(await asked(context)).toHaveStatus(200);
});

check('images.history.by-id', { faults: [missingImage] }, async ({ engine, use }) => {
  expect(await history(engine, (await use(described)).id)).toHaveStatus(200);
});

check('images.history.answers-list', { faults: [answersBody('{}'), answersBody('[]')] }, async ({ engine, use }) => {
  const answer = await use(plain);
  const base = await given(history(engine, encodeURIComponent(engine.sandbox.image)), 200);
  const count = (one: Exchange) => (Array.isArray(one.json) ? one.json.filter(isObject).length : undefined);
  const below = count(base);
  expectValue('the number of items for the image that it was made from', below, [base]).toBeAtLeast(1);
  expectValue('the number of items', count(answer), [answer, base]).toBe((below ?? 0) + 1);
});
