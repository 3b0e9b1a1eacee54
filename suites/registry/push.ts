import { check, fixture } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { valuesAt } from '../../harness/expect/json-path.ts';
import { answersStatus, dropsHeader } from '../../harness/faults/answers.ts';
import { dropsField } from '../../harness/faults/fields.ts';
import { inEachObject, separatesObjects } from '../../harness/faults/objects.ts';
import { ignoresHeader, ignoresQuery, swallows } from '../../harness/faults/requests.ts';
import { changesStream, ignoresDrop } from '../../harness/faults/streams.ts';
import type { RepositoryRequest } from '../../harness/registry/routes.ts';
import { checkObjectFields, expectFailureTold, streamed, streamedFailure, wholeStream } from '../images/stream.ts';
import { goesThrough, type Held, Leaving, usualMs } from './patience.ts';
import {
  givenPushed,
  has,
  knowsUrlSafeOnly,
  loadTagged,
  objectsIn,
  passwordOf,
  passwordWithBothSigns,
  push,
  registryAuth,
  withRegistry,
} from './published.ts';

const isUpload = (_method: string, { part, rest }: RepositoryRequest) =>
  part === 'blobs' && rest.startsWith('uploads/');
const begins = (method: string, asked: RepositoryRequest) => method === 'POST' && isUpload(method, asked);
const noProgress = '{"status":"nothing"}';

const pushed = fixture('the objects of a push', async ({ engine }) => {
  let objects: Awaited<ReturnType<typeof streamed>> | undefined;
  await withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const options = { query: { tag: 'one' }, headers: registryAuth() };
    objects = await streamed(engine, `/images/${repository.name}/push`, options);
  });
  if (!objects) throw new Error('no push was made');
  return objects;
});

const failed = fixture('the objects of a push that fails', async ({ engine }) => {
  let objects: Awaited<ReturnType<typeof streamed>> | undefined;
  await withRegistry(engine, { denies: isUpload }, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const options = { query: { tag: 'one' }, headers: registryAuth() };
    objects = await streamedFailure(engine, `/images/${repository.name}/push`, options);
  });
  if (!objects) throw new Error('no push was made');
  return objects;
});

checkObjectFields('images.push.field.', pushed, failed);

check('images.push.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const answer = await push(engine, repository.name, { tag: 'one' });
    givenPushed(repository, 'one');
    expect(answer).toHaveStatus(200);
  });
});

check('images.push.media-type', { faults: [dropsHeader('Content-Type')] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const answer = await given(push(engine, repository.name, { tag: 'one' }), 200);
    givenPushed(repository, 'one');
    expect(answer).toHaveMediaType('application/json');
  });
});

const brokenApart = [separatesObjects(','), changesStream('ends early', (bytes) => bytes.subarray(0, -4))];

check('images.push.objects-in-a-row', { faults: brokenApart }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const path = `/images/${repository.name}/push`;
    const live = await given(engine.open('POST', path, { query: { tag: 'one' }, headers: registryAuth() }), 200);
    const body = await live.rest();
    givenPushed(repository, 'one');
    const objects = objectsIn(body);
    expectValue('the number of objects', objects.length, [live]).toBeAtLeast(1);
  });
});

check('images.push.registry-in-name', { faults: [swallows(200, noProgress)] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const answer = await given(push(engine, repository.name, { tag: 'one' }), 200);
    expectValue('whether the registry has the image', has(repository, 'one'), [answer]).toBe(true);
  });
});

check('images.push.tag', { faults: [ignoresQuery('tag'), swallows(200, noProgress)] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'one', 'two');
    const answer = await given(push(engine, repository.name, { tag: 'two' }), 200);
    const tags = repository.registry.contents.tags(repository.path);
    expectValue('the tags on the registry', tags, [answer]).toBe(['two']);
  });
});

check('images.push.tag-optional', { faults: [] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'latest', 'two');
    const answer = await push(engine, repository.name);
    const tags = repository.registry.contents.tags(repository.path) ?? [];
    observe(`answers ${answer.status} and pushes ${tags.join(' and ') || 'nothing'} of latest and two`, answer);
  });
});

const says200 = [swallows(200, noProgress)];

check('images.push.unknown-answers-404', { faults: says200 }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'one');
    await control(push(engine, repository.name, { tag: 'one' }), 200);
    const unknown = `${repository.registry.host}/${engine.name('image')}`;
    const answer = await push(engine, unknown, { tag: 'one' });
    if (answer.status !== 200) return expect(answer).toHaveStatus(404);
    const errors = objectsIn(answer.answer.body).flatMap((object) => valuesAt(object, 'error'));
    expectValue('the error objects in the stream', errors.length, [answer]).toBeAtLeast(1);
  });
});

check('images.push.push-cancelled', { faults: [ignoresDrop()] }, async ({ engine }) => {
  /** A push of which the daemon begins to send a layer and is not answered. */
  const heldPush = (then: (pushing: Leaving, held: Held) => Promise<void>) =>
    withRegistry(engine, { holds: begins }, async (repository) => {
      const { registry, name } = repository;
      await loadTagged(engine, repository, 'one');
      const options = { query: { tag: 'one' }, headers: registryAuth() };
      const pushing = new Leaving(engine, `/images/${name}/push`, options);
      await pushing.untilHeld(registry, 'the daemon sends a layer');
      await then(pushing, { registry, isThrough: () => has(repository, 'one') });
    });
  let neededMs = 0;
  await heldPush(async (_pushing, held) => {
    neededMs = await usualMs(held);
  });
  await heldPush(async (pushing, held) => {
    const evidence = await pushing.drop();
    const isThrough = await goesThrough(held, neededMs);
    expectValue('whether the daemon goes through with the push', isThrough, evidence).toBe(false);
  });
});

check(
  'images.push.error-in-stream',
  { faults: [inEachObject(dropsField('error')), answersStatus(418, 200)] },
  async ({ engine }) => {
    await withRegistry(engine, { denies: isUpload }, async (repository) => {
      await loadTagged(engine, repository, 'one');
      const options = { query: { tag: 'one' }, headers: registryAuth() };
      expectFailureTold(await wholeStream(engine, `/images/${repository.name}/push`, options));
    });
  },
);

const asksWithAuth = [ignoresHeader('X-Registry-Auth')];

check('images.push.X-Registry-Auth-credentials', { faults: asksWithAuth }, async ({ engine }) => {
  await withRegistry(engine, { access: 'basic' }, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const headers = registryAuth(passwordOf(repository.registry.access.user));
    const answer = await push(engine, repository.name, { tag: 'one' }, headers);
    expectValue('whether the registry has the image', has(repository, 'one'), [answer]).toBe(true);
  });
});

check('images.push.X-Registry-Auth-identitytoken', { faults: asksWithAuth }, async ({ engine }) => {
  await withRegistry(engine, { access: 'bearer' }, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const headers = registryAuth({ identitytoken: repository.registry.access.user.identityToken });
    const answer = await push(engine, repository.name, { tag: 'one' }, headers);
    expectValue('whether the registry has the image', has(repository, 'one'), [answer]).toBe(true);
  });
});

check('images.push.X-Registry-Auth-base64', { faults: [...asksWithAuth, knowsUrlSafeOnly] }, async ({ engine }) => {
  await withRegistry(engine, { access: 'basic', password: passwordWithBothSigns }, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const headers = registryAuth(passwordOf(repository.registry.access.user));
    const answer = await push(engine, repository.name, { tag: 'one' }, headers);
    expectValue('whether the registry has the image', has(repository, 'one'), [answer]).toBe(true);
  });
});
