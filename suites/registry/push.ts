import { gunzipSync, gzipSync } from 'node:zlib';
import { check, type FixtureContext, fixture } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader } from '../../harness/faults/answers.ts';
import { refuses } from '../../harness/faults/bodies.ts';
import { separatesObjects } from '../../harness/faults/objects.ts';
import { uploads } from '../../harness/faults/registry.ts';
import { ignoresHeader, ignoresQuery, keepsFirstHeader, swallows } from '../../harness/faults/requests.ts';
import { changesStream, ignoresDrop } from '../../harness/faults/streams.ts';
import type { RegistryOptions } from '../../harness/registry/registry.ts';
import type { RepositoryRequest } from '../../harness/registry/routes.ts';
import {
  checkObjectFields,
  expectFailureTold,
  failureInObjects,
  inObjects,
  wholeStream,
} from '../images/support/json-stream.ts';
import { answerOf, doneOnce } from '../support/done-once.ts';
import { errorsIn, hidesErrors } from '../support/error-objects.ts';
import { expectAbandoned, type Held, Leaving } from './support/client-patience.ts';
import {
  commitTagged,
  givenPushed,
  has,
  knowsUrlSafeOnly,
  loadTagged,
  objectsIn,
  passwordOf,
  passwordWithBothSigns,
  push,
  pushedImage,
  type Repository,
  registryAuth,
  withRegistry,
  wrongPasswordOf,
} from './support/published-images.ts';

const isUpload = (_method: string, { part, rest }: RepositoryRequest) =>
  part === 'blobs' && rest.startsWith('uploads/');
const begins = (method: string, asked: RepositoryRequest) => method === 'POST' && isUpload(method, asked);
const noProgress = '{"status":"nothing"}';

interface Pushed {
  readonly repository: Repository;
  readonly answer: Exchange;
}

/** Pushes one image to a registry. Nothing in the answer is judged yet. */
function pushing(options: RegistryOptions): (context: FixtureContext) => Promise<Pushed> {
  return ({ engine }) =>
    withRegistry(engine, options, async (repository) => {
      await loadTagged(engine, repository, 'one');
      const asked = { query: { tag: 'one' }, headers: registryAuth() };
      return { repository, answer: await wholeStream(engine, `/images/${repository.name}/push`, asked) };
    });
}

const pushedOnce = doneOnce('a push', pushing({}));

const failedOnce = doneOnce('a push that fails', pushing({ denies: isUpload }));

checkObjectFields(
  'images.push.field.',
  fixture('the objects of a push', (context) => inObjects(answerOf(pushedOnce(context)))),
  fixture('the objects of a push that fails', (context) => failureInObjects(answerOf(failedOnce(context)))),
);

check('images.push.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  const { answer, repository } = await pushedOnce(context);
  givenPushed(repository, 'one');
  expect(answer).toHaveStatus(200);
});

check('images.push.media-type', { faults: [dropsHeader('Content-Type')] }, async (context) => {
  const pushed = pushedOnce(context);
  const answer = await given(answerOf(pushed), 200);
  givenPushed((await pushed).repository, 'one');
  expect(answer).toHaveMediaType('application/json');
});

const brokenApart = [separatesObjects(','), changesStream('ends early', (bytes) => bytes.subarray(0, -4))];

check('images.push.objects-in-a-row', { faults: brokenApart }, async (context) => {
  const { answer, repository } = await pushedOnce(context);
  await given(Promise.resolve(answer), 200);
  givenPushed(repository, 'one');
  const objects = objectsIn(answer.answer.body);
  expectValue('the number of objects', objects.length, [answer]).toBeAtLeast(1);
});

const isConfiguration = (bytes: Buffer) => bytes[0] === 0x7b;
const keepsNoLayers = uploads('uploads no layers', (bytes) => (isConfiguration(bytes) ? bytes : undefined));
const uploadsEmptyLayers = ['probe', 'ec-written'].map((file) =>
  uploads(`uploads an empty layer for the one with ${file}`, (bytes) =>
    !isConfiguration(bytes) && gunzipSync(bytes).includes(`${file}\0`) ? gzipSync(Buffer.alloc(1024)) : bytes,
  ),
);
const uploadsAnother = uploads('uploads the configuration of another image', (bytes) =>
  isConfiguration(bytes) ? Buffer.from(bytes.toString('utf8').replaceAll('ec.name', 'ec.else')) : bytes,
);
const swapsImages = uploads('pushes one image under the tag of the other', (bytes) =>
  isConfiguration(bytes) ? Buffer.from(bytes.toString('utf8').replaceAll(':two"', ':one"')) : bytes,
);

/** Judges that the registry has the complete image, with these files, that the daemon has under the tag. */
async function expectPushed(
  repository: Repository,
  tag: string,
  answer: Exchange,
  has: readonly string[] = ['probe'],
): Promise<void> {
  const pushed = await pushedImage(repository, tag);
  expectValue(`what the registry has under ${tag}`, pushed && 'a manifest', [answer]).toBe('a manifest');
  if (!pushed) return;
  expectValue('the number of blobs of the manifest that the registry lacks', pushed.missing, [answer]).toBe(0);
  const { configuration, files } = pushed;
  expectValue('the labels of what was pushed', namesIn(configuration), [answer]).toContain(`${repository.name}:${tag}`);
  if (!files) return;
  const there = has.filter((file) => files.includes(file));
  expectValue('the files of the image in the layers that were pushed', there, [answer]).toBe([...has]);
}

/** The values of the label that distinguishes pushed images. In an older manifest quotes are escaped. */
function namesIn(configuration: string): string[] {
  return [...configuration.matchAll(/ec\.name\\?"\s*:\s*\\?"([^"\\]+)/g)].map(([, value = '']) => value);
}

check(
  'images.push.registry-in-name',
  { faults: [swallows(200, noProgress), keepsNoLayers, ...uploadsEmptyLayers, uploadsAnother] },
  async ({ engine, use, toRegistry: garbles }) => {
    await withRegistry(engine, { garbles }, async (repository) => {
      const files = await commitTagged({ engine, use }, repository, 'one');
      const answer = await given(push(engine, repository.name, { tag: 'one' }), 200);
      await expectPushed(repository, 'one', answer, files);
    });
  },
);

check(
  'images.push.tag',
  { faults: [ignoresQuery('tag'), swallows(200, noProgress), swapsImages] },
  async ({ engine, toRegistry: garbles }) => {
    await withRegistry(engine, { garbles }, async (repository) => {
      await loadTagged(engine, repository, 'one', 'two');
      const answer = await given(push(engine, repository.name, { tag: 'two' }), 200);
      const tags = repository.registry.contents.tags(repository.path);
      expectValue('the tags on the registry', tags, [answer]).toBe(['two']);
      await expectPushed(repository, 'two', answer);
    });
  },
);

const wantsTag = refuses('a push without a tag', ({ path }) => !path.includes('tag='));

const pushedWithoutTag = doneOnce('a push without a tag', ({ engine }) =>
  withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'latest', 'two');
    const answer = await push(engine, repository.name);
    return { answer, tags: repository.registry.contents.tags(repository.path) ?? [] };
  }),
);

check('images.push.without-tag', { faults: [wantsTag, swallows(200, noProgress)] }, async (context) => {
  const { answer, tags } = await pushedWithoutTag(context);
  expect(answer).toHaveStatus(200);
  // Which tag is pushed is not stated.
  expectValue('the number of tags on the registry', tags.length, [answer]).toBeAtLeast(1);
});

check('images.push.tag-optional', { faults: [] }, async (context) => {
  const { answer, tags } = await pushedWithoutTag(context);
  observe(`answers ${answer.status} and pushes ${tags.join(' and ') || 'nothing'} of latest and two`, answer);
});

const says200 = [swallows(200, noProgress)];

check('images.push.unknown-answers-404', { faults: says200 }, async (context) => {
  const { engine } = context;
  await control(answerOf(pushedOnce(context)), 200);
  await withRegistry(engine, {}, async (repository) => {
    const unknown = `${repository.registry.host}/${engine.unusedName('image')}`;
    const answer = await push(engine, unknown, { tag: 'one' });
    if (answer.status !== 200) return expect(answer).toHaveStatus(404);
    const errors = errorsIn(objectsIn(answer.answer.body), answer);
    expectValue('the error objects in the stream', errors.length, [answer]).toBeAtLeast(1);
  });
});

check('images.push.push-cancelled', { faults: [ignoresDrop()] }, async ({ engine }) => {
  /** A push whose upload of a layer is held unanswered. */
  const heldPush = (then: (pushing: Leaving, held: Held) => Promise<void>) =>
    withRegistry(engine, { holds: begins }, async (repository) => {
      const { registry, name } = repository;
      await loadTagged(engine, repository, 'one');
      const options = { query: { tag: 'one' }, headers: registryAuth() };
      const pushing = new Leaving(engine, `/images/${name}/push`, options);
      await pushing.untilHeld(registry, 'the daemon sends a layer');
      await then(pushing, { registry, isThrough: () => has(repository, 'one') });
    });
  await expectAbandoned('the push', heldPush);
});

check('images.push.error-in-stream', { faults: [...hidesErrors, answersStatus(418, 200)] }, async (context) => {
  expectFailureTold((await failedOnce(context)).answer);
});

const asksWithAuth = [ignoresHeader('X-Registry-Auth')];

/** Does not report that a push was refused. */
const hidesRefusal = changesStream('says nothing of what the registry refused', () => Buffer.from(noProgress));

check(
  'images.push.X-Registry-Auth-credentials',
  { faults: [...asksWithAuth, keepsFirstHeader('X-Registry-Auth'), hidesRefusal] },
  async ({ engine }) => {
    await withRegistry(engine, { access: 'basic' }, async (repository) => {
      await loadTagged(engine, repository, 'one', 'two');
      const { user } = repository.registry.access;
      const answer = await push(engine, repository.name, { tag: 'one' }, registryAuth(passwordOf(user)));
      expectValue('whether the registry has the image', has(repository, 'one'), [answer]).toBe(true);
      const options = { query: { tag: 'two' }, headers: registryAuth(wrongPasswordOf(user)) };
      const other = await wholeStream(engine, `/images/${repository.name}/push`, options);
      const isThere = has(repository, 'two');
      expectValue('whether the registry has what a wrong password pushed', isThere, [answer, other]).toBe(false);
      expectFailureTold(other);
    });
  },
);

check('images.push.X-Registry-Auth-missing', { faults: [] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    await loadTagged(engine, repository, 'one');
    const answer = await push(engine, repository.name, { tag: 'one' }, {});
    const does = has(repository, 'one') ? 'pushes' : 'does not push';
    observe(`answers ${answer.status} and ${does} to an open registry`, answer);
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
