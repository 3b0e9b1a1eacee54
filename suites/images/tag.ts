import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { ignoresQuery, swallows, takesMissingAs } from '../../harness/faults/requests.ts';
import { doneOnce } from '../support/done-once.ts';
import {
  allSpellings,
  expectFound,
  expectFoundIn,
  findsNoWholeId,
  type ImageContext,
  idOf,
  inspectImage,
  makeImage,
  newName,
  refusesSpelling,
  wholeId,
} from './support/committed-images.ts';
import { expectUnknown, unknownFaults } from './support/unknown-id.ts';

/** Gives an image a new name of the check's own. */
async function tag(engine: Engine, image: string, query: Readonly<Record<string, string>> = {}) {
  const { repository, name } = newName(engine, 'other');
  const answer = await engine.post(`/images/${image}/tag`, { query: { repo: repository, tag: 'other', ...query } });
  return { answer, name, repository };
}

const tagged = doneOnce('an image that was given another name', async (context) => {
  const image = await makeImage(context);
  const { answer, name } = await tag(context.engine, image.name);
  return { image, answer, name, found: await inspectImage(context.engine, name) };
});

check('images.tag.answers-201', { faults: [answersStatus(200, 201)] }, async (context) => {
  expect((await tagged(context)).answer).toHaveStatus(201);
});

check('images.tag.empty-body', { faults: [answersBody('tagged')] }, async (context) => {
  const { answer } = await tagged(context);
  await given(Promise.resolve(answer), 201);
  expect(answer).toBeEmptyBody();
});

check('images.tag.unknown-answers-404', { faults: unknownFaults }, async (context) => {
  const { engine } = context;
  await control(Promise.resolve((await tagged(context)).answer), 201);
  await expectUnknown(engine, async (image) => (await tag(engine, image)).answer);
});

for (const [rule, faults] of [
  ['images.tag.by-name', [swallows(201)]],
  ['images.tag.repo', [ignoresQuery('repo'), swallows(201)]],
  ['images.tag.tag', [ignoresQuery('tag'), swallows(201)]],
] as const) {
  check(rule, { faults }, async (context) => {
    const { image, name, found } = await tagged(context);
    expectFoundIn(found, name, image.id);
  });
}

check('images.tag.by-id', { faults: [swallows(201), findsNoWholeId] }, async ({ engine, use }) => {
  const image = await makeImage({ engine, use });
  const { name } = await tag(engine, wholeId(engine, image.id));
  await expectFound(engine, name, image.id);
});

check('images.tag.tag-default', { faults: [] }, async ({ engine, use }) => {
  const image = await makeImage({ engine, use });
  const { repository, name } = newName(engine, 'latest');
  const answer = await given(engine.post(`/images/${image.name}/tag`, { query: { repo: repository } }), 201);
  const { status } = await inspectImage(engine, name);
  observe(status === 200 ? 'gives the tag latest' : 'does not give the tag latest', answer);
});

/** Moves the name of another image to an image. */
async function takeName({ engine, use }: ImageContext, query: Query) {
  const [one, other] = [await makeImage({ engine, use }), await makeImage({ engine, use })];
  const answer = await engine.post(`/images/${one.name}/tag`, {
    query: { repo: other.repository, tag: 'ec', ...query },
  });
  const found = await given(inspectImage(engine, other.name), 200);
  return { answer, found, moved: idOf(found) === one.id ? 'the name moves' : 'the name stays' };
}

const nameTaken = doneOnce('a name of another image that an image was given', (context) => takeName(context, {}));

for (const [rule, take] of [
  ['images.tag.conflict-409', nameTaken],
  ['images.tag.force-true', (context: ImageContext) => takeName(context, { force: '1' })],
] as const) {
  check(rule, { faults: [] }, async (context) => {
    const { answer, found, moved } = await take(context);
    observe(`answers ${answer.status}, and ${moved}`, answer, found);
  });
}

check('images.tag.force-default-false', { faults: [takesMissingAs('force', '1')] }, async (context) => {
  await control(Promise.resolve((await tagged(context)).answer), 201);
  const off = await takeName(context, { force: false });
  const missing = await nameTaken(context);
  const happens = ({ answer, moved }: typeof off) => `answers ${answer.status}, and ${moved}`;
  const evidence = [off.answer, off.found, missing.answer, missing.found];
  expectValue('what comes of a tag without force', happens(missing), evidence).toBe(happens(off));
});

check('images.tag.bad-names', { faults: [] }, async ({ engine, use }) => {
  const image = await makeImage({ engine, use });
  const { repository } = newName(engine);
  for (const query of [{ repo: `${repository} with spaces` }, { repo: repository.toUpperCase() }, { repo: '' }]) {
    const answer = await engine.post(`/images/${image.name}/tag`, { query: { tag: 'ec', ...query } });
    if (answer.status < 300) engine.made({ kind: 'image', name: `${query.repo}:ec` });
    observe(
      `answers ${answer.status} to ${query.repo === '' ? 'no repository' : `a repository as ${query.repo.replace(repository, 'name').replace(repository.toUpperCase(), 'NAME')}`}`,
      answer,
    );
  }
});

check(
  'images.tag.force-spellings',
  { faults: allSpellings.map((spelling) => refusesSpelling('force', spelling)) },
  async ({ engine, use }) => {
    const image = await makeImage({ engine, use });
    for (const force of allSpellings) expect((await tag(engine, image.name, { force })).answer).toHaveStatus(201);
  },
);
