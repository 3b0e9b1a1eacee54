import { check, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { findsNoWholeId, missingImage, wholeId } from './support/committed-images.ts';
import { described } from './support/common-images.ts';
import { itemIds } from './support/history-items.ts';
import { expectUnknown, unknownFaults } from './support/unknown-id.ts';

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

check('images.history.unknown-answers-404', { faults: unknownFaults }, async (context) => {
  const { engine } = context;
  await control(asked(context), 200);
  await expectUnknown(engine, (image) => history(engine, image));
});

check('images.history.by-name', { faults: [missingImage] }, async (context) => {
  expect(await asked(context)).toHaveStatus(200);
});

const nothingById: Fault = {
  name: 'answers an identifier with an empty list',
  answer: (answer, { path }) =>
    /[/:][0-9a-f]{64}\//.test(path) && answer.status === 200 ? { ...answer, body: Buffer.from('[]') } : answer,
};

check('images.history.by-id', { faults: [missingImage, nothingById, findsNoWholeId] }, async ({ engine, use }) => {
  const answer = await history(engine, wholeId(engine, (await use(described)).id));
  expect(answer).toHaveStatus(200);
  const named = await use(plain);
  expectValue('the Ids of its items', itemIds(answer), [named, answer]).toBe(itemIds(named));
});

check('images.history.answers-list', { faults: [answersBody('{}'), answersBody('[]')] }, async ({ engine, use }) => {
  const answer = await use(plain);
  const base = await given(history(engine, encodeURIComponent(engine.sandbox.image)), 200);
  const count = (one: Exchange) => (Array.isArray(one.json) ? one.json.filter(isObject).length : undefined);
  const below = count(base);
  expectValue('the number of items for the image that it was made from', below, [base]).toBeAtLeast(1);
  expectValue('the number of items', count(answer), [answer, base]).toBe((below ?? 0) + 1);
});
