import { check, checkRule, fixture } from '../../harness/check.ts';
import { create, createBody } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, observe } from '../../harness/expect/expect.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { isObject } from '../../harness/expect/json-path.ts';
import { expectOneOfEach } from '../../harness/expect/whole-answers.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { retypesField } from '../../harness/faults/fields.ts';
import { swallows } from '../../harness/faults/requests.ts';
import { fieldRulesOf } from '../field-checks.ts';
import { allSpellings, inspectImage, makeImage, missingImage, refusesSpelling } from './made.ts';

function remove(engine: Engine, name: string, query?: Query): Promise<Exchange> {
  return engine.delete(`/images/${name}`, query);
}

const removed = fixture('the answer to the removal of an image', async ({ engine, use }) =>
  given(remove(engine, (await makeImage({ engine, use })).name), 200),
);

/** An item has one of the two, so that only those that have it are judged; `one-of-each` judges the rest. */
for (const rule of fieldRulesOf('images.remove.field.')) {
  const { path, schema } = rule.field;
  const retyped = retypesField(path, schema);
  checkRule(rule, { faults: retyped ? [retyped] : [] }, async ({ use }) => {
    expectField(await use(removed), rule, { where: (item) => path in item, mayHoldNothing: true });
  });
}

check('images.remove.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine, use }) => {
  expect(await remove(engine, (await makeImage({ engine, use })).name)).toHaveStatus(200);
});

check('images.remove.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async ({ engine, use }) => {
  await control(remove(engine, (await makeImage({ engine, use })).name), 200);
  expect(await remove(engine, engine.name('image'))).toHaveStatus(404);
});

for (const form of ['name', 'id'] as const) {
  check(`images.remove.by-${form}`, { faults: [missingImage] }, async ({ engine, use }) => {
    expect(await remove(engine, (await makeImage({ engine, use }))[form])).toHaveStatus(200);
  });
}

check('images.remove.image-gone', { faults: [swallows(200, '[]')] }, async ({ engine, use }) => {
  const { name } = await makeImage({ engine, use });
  await given(inspectImage(engine, name), 200);
  await given(remove(engine, name), 200);
  expect(await inspectImage(engine, name)).toHaveStatus(404);
});

check(
  'images.remove.one-of-each',
  { faults: ['{}', '[]', '[{}]', '[{"Untagged":"a","Deleted":"b"}]', '[{"Removed":"a"}]'].map(answersBody) },
  async ({ use }) => expectOneOfEach(await use(removed)),
);

for (const [rule, query] of [
  ['images.remove.conflict-409', {}],
  ['images.remove.force-true', { force: '1' }],
] as const) {
  check(rule, { faults: [] }, async ({ engine, use }) => {
    const { name, id } = await makeImage({ engine, use });
    await given(create(engine, { ...createBody(engine), Image: name }), 201);
    const answer = await remove(engine, name, query);
    const { status } = await inspectImage(engine, id);
    observe(`answers ${answer.status}; the image is ${status === 200 ? 'still there' : 'gone'}`, answer);
  });
}

check('images.remove.noprune-true', { faults: [] }, async ({ engine, use }) => {
  const { name } = await makeImage({ engine, use });
  const answer = await given(remove(engine, name, { noprune: true }), 200);
  const items = Array.isArray(answer.json) ? answer.json.filter(isObject) : [];
  observe(`deletes ${items.filter((item) => 'Deleted' in item).length > 1 ? 'parents too' : 'no parents'}`, answer);
});

for (const flag of ['force', 'noprune'] as const) {
  const faults = allSpellings.map((spelling) => refusesSpelling(flag, spelling));
  check(`images.remove.${flag}-spellings`, { faults }, async ({ engine, use }) => {
    for (const spelling of allSpellings) {
      expect(await remove(engine, (await makeImage({ engine, use })).name, { [flag]: spelling })).toHaveStatus(200);
    }
  });
}
