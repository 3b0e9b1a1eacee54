import { check, checkRule, fixture } from '../../harness/check.ts';
import { create, createBody, makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { lookUntil } from '../../harness/engine/look-until.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { expectOneOfEach } from '../../harness/expect/whole-answers.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { retypesField, setsField } from '../../harness/faults/fields.ts';
import { swallows, takesMissingAs } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { buildOf, labelling, own } from '../build/support/building.ts';
import { doneOnce } from '../support/done-once.ts';
import { fieldRulesOf } from '../support/field-checks.ts';
import { ifRight, ifThere, itself } from '../support/shared-results.ts';
import {
  allSpellings,
  findsNoWholeId,
  type ImageContext,
  inspectImage,
  makeImage,
  missingImage,
  newName,
  plainId,
  refusesSpelling,
  wholeId,
} from './support/committed-images.ts';
import { expectUnknown, unknownFaults } from './support/unknown-id.ts';

function remove(engine: Engine, name: string, query?: Query): Promise<Exchange> {
  return engine.delete(`/images/${name}`, query);
}

const removal = doneOnce('the removal of an image by its name', async (context) => {
  const { engine } = context;
  const { name, id } = await makeImage(context);
  await given(inspectImage(engine, name), 200);
  return { id, answer: await remove(engine, name), after: await inspectImage(engine, name) };
});

const removed = fixture('the answer to the removal of an image', async (context) =>
  given(Promise.resolve((await removal(context)).answer), 200),
);

/** An item has one of the two, so only items that have it are judged; `one-of-each` judges the rest. */
for (const rule of fieldRulesOf('images.remove.field.')) {
  const { path, schema } = rule.field;
  const retyped = retypesField(path, schema);
  checkRule(rule, { faults: retyped ? [retyped] : [] }, async ({ use }) => {
    expectField(await use(removed), rule, { where: (item) => path in item, mayHoldNothing: true });
  });
}

check('images.remove.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect((await removal(context)).answer).toHaveStatus(200);
});

check('images.remove.unknown-answers-404', { faults: unknownFaults }, async (context) => {
  const { engine } = context;
  await control(Promise.resolve((await removal(context)).answer), 200);
  await expectUnknown(engine, (image) => remove(engine, image));
});

check('images.remove.by-name', { faults: [missingImage] }, async (context) => {
  expect((await removal(context)).answer).toHaveStatus(200);
});

check(
  'images.remove.by-id',
  { faults: [missingImage, swallows(200, '[]'), findsNoWholeId] },
  async ({ engine, use }) => {
    const { id, name } = await makeImage({ engine, use });
    await given(inspectImage(engine, name), 200);
    expect(await remove(engine, wholeId(engine, id))).toHaveStatus(200);
    expect(await inspectImage(engine, name)).toHaveStatus(404);
  },
);

/** How long an engine may take to remove an image that has lost its only name, as nothing says that it goes before. */
const goneMs = 10_000;

/** Takes the only name of an image away, and keeps the image. */
const onlyUntags = on('GET /images/{name}/json', {
  name: 'still has an image that lost its only name',
  answer: (answer, { path }) =>
    answer.status === 404 && /[0-9a-f]{64}/.test(path) ? { ...answer, status: 200 } : answer,
});

check('images.remove.image-gone', { faults: [swallows(200, '[]'), onlyUntags], slowToFail: true }, async (context) => {
  const { id, answer, after } = await removal(context);
  await given(Promise.resolve(answer), 200);
  expect(after).toHaveStatus(404);
  const find = () => inspectImage(context.engine, wholeId(context.engine, id));
  const seen = await lookUntil(find, ({ status }) => status >= 400, goneMs);
  // Which status an unknown identifier gets is not judged here.
  expectValue('whether its identifier still finds it', seen.status < 400, [answer, seen]).toBe(false);
});

check(
  'images.remove.one-of-each',
  { faults: ['{}', '[]', '[{}]', '[{"Untagged":"a","Deleted":"b"}]', '[{"Removed":"a"}]'].map(answersBody) },
  async ({ use }) => expectOneOfEach(await use(removed)),
);

check('images.remove.deleted-identifier', { faults: [setsField('Deleted', 'another')] }, async (context) => {
  const { id, answer, after } = await removal(context);
  const { json } = await given(Promise.resolve(answer), 200);
  // Whether the image is gone, another rule judges.
  await given(Promise.resolve(after), 404);
  const deleted = [json].flat().flatMap((item) => valuesAt(item, 'Deleted').map(plainId));
  expectValue('the identifiers in Deleted', deleted, [answer], { level: 'should' }).toContain(id);
});

const removalOfUsed = doneOnce('the removal of an image that a container uses', (context) => removeUsed(context, {}));

for (const [rule, removed] of [
  ['images.remove.conflict-409', removalOfUsed],
  ['images.remove.force-true', (context: ImageContext) => removeUsed(context, { force: '1' })],
] as const) {
  check(rule, { faults: [] }, async (context) => {
    const { answer, happens } = await removed(context);
    observe(happens, answer);
  });
}

/** Removes an image that a container uses. */
async function removeUsed({ engine, use }: ImageContext, query: Query): Promise<{ answer: Exchange; happens: string }> {
  const { name, id } = await makeImage({ engine, use });
  await given(create(engine, { ...createBody(engine), Image: name }), 201);
  const answer = await remove(engine, name, query);
  const { status } = await inspectImage(engine, wholeId(engine, id));
  return { answer, happens: `answers ${answer.status}; the image is ${status === 200 ? 'still there' : 'gone'}` };
}

check('images.remove.used-answers-409', { faults: [answersStatus(500, 409)] }, async ({ engine, use }) => {
  const { name } = await makeImage({ engine, use });
  const container = await makeContainer(engine, { config: { Image: name }, state: 'running' });
  const answer = await remove(engine, name);
  await given(container.remove({ force: true }), 204);
  // Where the image was removed all the same, the answer says so.
  if (answer.status >= 300) await control(remove(engine, name), 200);
  expect(answer).toHaveStatus(409);
});

check('images.remove.force-default-false', { faults: [takesMissingAs('force', '1')] }, async (context) => {
  await control(Promise.resolve((await removal(context)).answer), 200);
  const off = await removeUsed(context, { force: false });
  const missing = await removalOfUsed(context);
  expectValue('what comes of a removal without force', missing.happens, [off.answer, missing.answer]).toBe(off.happens);
});

/** How many images are deleted together with one that was built on another one without a name. */
async function deletedWith(engine: Engine, query: Query): Promise<{ answer: Exchange; count: number }> {
  const made = own(engine);
  await given(buildOf(engine, made, [`LABEL ec.step=${made.name}`, labelling(made)]), 200);
  const answer = await given(remove(engine, made.name, query), 200);
  return { answer, count: itemsOf(answer).filter((item) => 'Deleted' in item).length };
}

check('images.remove.noprune-default-false', { faults: [takesMissingAs('noprune', '1')] }, async ({ engine }) => {
  const off = await deletedWith(engine, { noprune: false });
  const missing = await deletedWith(engine, {});
  const evidence = [off.answer, missing.answer];
  if (off.count === 0) throw new NotApplicable('no item with Deleted comes, and it need not');
  expectValue('the number of items with Deleted without noprune', missing.count, evidence).toBe(off.count);
});

check('images.remove.one-of-two-names', { faults: [] }, async ({ engine, use }) => {
  const { name } = await makeImage({ engine, use });
  const { repository, name: other } = newName(engine, 'other');
  await given(engine.post(`/images/${name}/tag`, { query: { repo: repository, tag: 'other' } }), 201);
  const answer = await given(remove(engine, other), 200);
  const kinds = [...new Set(itemsOf(answer).flatMap((item) => Object.keys(item)))].sort();
  observe(`answers items with ${kinds.join(' and ') || 'nothing'}`, answer);
});

function itemsOf(answer: Exchange): Readonly<Record<string, JsonValue>>[] {
  return Array.isArray(answer.json) ? answer.json.filter(isObject) : [];
}

check('images.remove.noprune-true', { faults: [] }, async ({ engine, use }) => {
  const { name } = await makeImage({ engine, use });
  const answer = await given(remove(engine, name, { noprune: true }), 200);
  observe(
    `deletes ${itemsOf(answer).filter((item) => 'Deleted' in item).length > 1 ? 'parents too' : 'no parents'}`,
    answer,
  );
});

const flags = ['force', 'noprune'] as const;

/** Removals with both flags in each spelling, which saves an image for each flag. */
const removedWithBoth = fixture('removals with all spellings of force and noprune', async (context) => {
  const answers: Exchange[] = [];
  for (const spelling of allSpellings) {
    const query = Object.fromEntries(flags.map((flag) => [flag, spelling]));
    answers.push(await remove(context.engine, (await makeImage(context)).name, query));
  }
  return answers;
});

for (const flag of flags) {
  const faults = allSpellings.map((spelling) => refusesSpelling(flag, spelling));
  check(`images.remove.${flag}-spellings`, { faults }, async ({ engine, use }) => {
    const shown = await ifThere(use(removedWithBoth));
    for (const [place, spelling] of allSpellings.entries()) {
      const isRemoved = ({ status }: Exchange) => status === 200;
      // A refusal may be about the other flag.
      const together = ifRight(shown?.[place], isRemoved, 'with both flags', itself);
      const alone = async () => remove(engine, (await makeImage({ engine, use })).name, { [flag]: spelling });
      expect(together ?? (await alone())).toHaveStatus(200);
    }
  });
}
