import { check, fixture } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given, settled } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { dropsField } from '../../harness/faults/fields.ts';
import { ignoresFilter, swallows } from '../../harness/faults/requests.ts';
import type { RegistryImage } from '../../harness/registry/image.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { expectListed, listFiltered } from '../containers/support/list-answers.ts';
import { newName } from '../images/support/committed-images.ts';
import { expectPulled, publish, pull, type Repository, withRegistry } from './support/published-images.ts';

/** Pulls an image, and returns its name by digest. @throws Blocked */
async function pulledDigest(engine: Engine, repository: Repository): Promise<{ name: string; image: RegistryImage }> {
  const image = await publish(engine, repository, 'one');
  await given(pull(engine, { fromImage: repository.name, tag: 'one' }), 200);
  return { name: `${repository.name}@${image.manifest.digest}`, image };
}

const pulled = fixture('a pulled image, and its name by digest', async ({ engine }) => {
  let made: Awaited<ReturnType<typeof pulledDigest>> | undefined;
  await withRegistry(engine, {}, async (repository) => {
    made = await pulledDigest(engine, repository);
    await settled(expectPulled(engine, `${repository.name}:one`, made.image), 'pulling an image');
  });
  if (!made) throw new Error('no pull was made');
  return made;
});

for (const [rule, part] of [
  ['images.history.by-digest', 'history'],
  ['images.save.by-digest', 'get'],
] as const) {
  check(rule, { faults: [answersStatus(404, 200)] }, async ({ engine, use }) => {
    const { name } = await use(pulled);
    expect(await engine.get(`/images/${name}/${part}`)).toHaveStatus(200);
  });
}

check('images.tag.by-digest', { faults: [answersStatus(404, 201), swallows(201)] }, async ({ engine, use }) => {
  const { name, image } = await use(pulled);
  const { repository, name: other } = newName(engine, 'other');
  const query = { repo: repository, tag: 'other' };
  expect(await engine.post(`/images/${name}/tag`, { query })).toHaveStatus(201);
  await expectPulled(engine, other, image);
});

check('images.remove.by-digest', { faults: [answersStatus(404, 200)] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    const { name, image } = await pulledDigest(engine, repository);
    await settled(expectPulled(engine, `${repository.name}:one`, image), 'pulling an image');
    expect(await engine.delete(`/images/${name}`)).toHaveStatus(200);
  });
});

check('images.inspect.by-digest', { faults: [answersStatus(404)] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    const { name, image } = await pulledDigest(engine, repository);
    await expectPulled(engine, name, image);
  });
});

const unknownToCreate = on('POST /containers/create', answersStatus(404, 201));

check(
  'images.list.digest-names-image',
  { faults: [dropsField('RepoDigests'), unknownToCreate] },
  async ({ engine }) => {
    await withRegistry(engine, {}, async (repository) => {
      const { name, image } = await pulledDigest(engine, repository);
      const list = await engine.get('/images/json', { digests: '1' });
      expect(list).toHaveStatus(200);
      const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
      const own = items.find(({ RepoTags }) => Array.isArray(RepoTags) && RepoTags.includes(`${repository.name}:one`));
      expectValue('the RepoDigests of the image', own?.RepoDigests, [list]).toContain(name);
      await expectPulled(engine, name, image);
      expect(await create(engine, createBody(engine, { config: { Image: name } }))).toHaveStatus(201);
    });
  },
);

check('containers.list.filters.ancestor-digest', { faults: [ignoresFilter('ancestor')] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    const { name: digest } = await pulledDigest(engine, repository);
    const name = engine.name('container');
    const body = createBody(engine, { config: { Image: `${repository.name}:one` } });
    const created = await given(create(engine, body, { name }), 201);
    const container = new Container(engine, String(valuesAt(created.json, 'Id')[0]), name);
    const other = await makeContainer(engine);
    expectListed(await given(listFiltered(engine, { ancestor: [digest] }), 200), [container], [other]);
  });
});
