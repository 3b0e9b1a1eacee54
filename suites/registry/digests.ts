import { check, fixture } from '../../harness/check.ts';
import { create, createBody } from '../../harness/engine/containers.ts';
import { given, settled } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on, since } from '../../harness/faults/fault.ts';
import { dropsField, setsField } from '../../harness/faults/fields.ts';
import { swallows } from '../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { atLeast } from '../../specs/versions.ts';
import { expectFoundIn, idOf, newName } from '../images/support/committed-images.ts';
import { expectPulled, inspect } from './support/published-images.ts';
import { pulled, pullNew } from './support/pulled-image.ts';

const found = fixture('a pulled image that is there by its tag', async ({ engine, use }) => {
  const made = await use(pulled);
  await settled(expectPulled(engine, made.tagged, made.image), 'pulling an image');
  return made;
});

for (const [rule, part] of [
  ['images.history.by-digest', 'history'],
  ['images.save.by-digest', 'get'],
] as const) {
  check(rule, { faults: [answersStatus(404, 200)] }, async ({ engine, use }) => {
    const { name } = await use(found);
    expect(await engine.get(`/images/${name}/${part}`)).toHaveStatus(200);
  });
}

check('images.tag.by-digest', { faults: [answersStatus(404, 201), swallows(201)] }, async ({ engine, use }) => {
  const { name, image } = await use(found);
  const { repository, name: other } = newName(engine, 'other');
  const query = { repo: repository, tag: 'other' };
  expect(await engine.post(`/images/${name}/tag`, { query })).toHaveStatus(201);
  await expectPulled(engine, other, image);
});

check('images.remove.by-digest', { faults: [answersStatus(404, 200), swallows(200, '[]')] }, async ({ engine }) => {
  const { tagged, name, image } = await pullNew(engine);
  await settled(expectPulled(engine, tagged, image), 'pulling an image');
  await given(inspect(engine, name), 200);
  expect(await engine.delete(`/images/${name}`)).toHaveStatus(200);
  expect(await inspect(engine, name)).toHaveStatus(404);
});

const brokenDigests = ['another@sha256:1', `another@sha256:${'1'.repeat(64)}`].map((value) =>
  since('1.21', setsField('RepoDigests', [value])),
);

check('images.inspect.by-digest', { faults: [answersStatus(404), ...brokenDigests] }, async ({ engine, use, api }) => {
  const { tagged, name, image } = await use(pulled);
  await expectPulled(engine, name, image);
  // Inspect has none before.
  if (!atLeast(api, '1.21')) return;
  const shown = await given(inspect(engine, tagged), 200);
  for (const value of valuesAt(shown.json, 'RepoDigests').flat().map(String)) {
    expectValue('one of the RepoDigests', value, [shown]).toMatch(/^[^@\s]+@sha256:[0-9a-f]{64}$/);
    expectFoundIn(await inspect(engine, value), value, idOf(shown));
  }
});

const unknownToCreate = on('POST /containers/create', answersStatus(404, 201));

check(
  'images.list.digest-names-image',
  { faults: [dropsField('RepoDigests'), unknownToCreate] },
  async ({ engine, use }) => {
    const { tagged, name, image } = await use(pulled);
    const list = await engine.get('/images/json', { digests: '1' });
    expect(list).toHaveStatus(200);
    const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
    const own = items.find(({ RepoTags }) => Array.isArray(RepoTags) && RepoTags.includes(tagged));
    expectValue('the RepoDigests of the image', own?.RepoDigests, [list]).toContain(name);
    await expectPulled(engine, name, image);
    expect(await create(engine, createBody(engine, { config: { Image: name } }))).toHaveStatus(201);
  },
);
