import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { control, given } from '../../harness/engine/given.ts';
import { readTar } from '../../harness/engine/tar.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader } from '../../harness/faults/answers.ts';
import { addsEmptyEntry, dropsTarEntry, emptiesTarEntry } from '../../harness/faults/archives.ts';
import { type Fault, on, until } from '../../harness/faults/fault.ts';
import {
  ignoresHeader,
  ignoresQuery,
  keepsFirstHeader,
  swallows,
  takesQueryAs,
} from '../../harness/faults/requests.ts';
import { changesStream, ignoresDrop } from '../../harness/faults/streams.ts';
import type { RepositoryRequest } from '../../harness/registry/routes.ts';
import { newestDocumented } from '../../specs/versions.ts';
import { newName } from '../images/support/committed-images.ts';
import {
  checkObjectFields,
  expectFailureTold,
  failureInObjects,
  inObjects,
  wholeStream,
} from '../images/support/json-stream.ts';
import { answerOf, doneOnce } from '../support/done-once.ts';
import { hidesErrors } from '../support/error-objects.ts';
import { expectAbandoned, type Held, Leaving } from './support/client-patience.ts';
import {
  contentOf,
  expectNone,
  expectPulled,
  givenPulled,
  inspect,
  knowsUrlSafeOnly,
  layered,
  passwordOf,
  passwordWithBothSigns,
  publish,
  publishLayered,
  pull,
  registryAuth,
  withRegistry,
  wrongPasswordOf,
} from './support/published-images.ts';

/** Answers requests for the parts of an image except its layers; a daemon may read the configuration first. */
function isLayer(digest: () => string) {
  return (_method: string, { part, rest }: RepositoryRequest) => part === 'blobs' && rest === digest();
}

/** A pull from an open registry. Nothing in its answer is judged yet. */
const pulledOnce = doneOnce('a pull', ({ engine }) =>
  withRegistry(engine, {}, async (repository) => {
    const image = await publishLayered(engine, repository, 'one');
    const query = { fromImage: repository.name, tag: 'one' };
    const answer = await wholeStream(engine, '/images/create', { query });
    return { answer, image, name: `${repository.name}:one` };
  }),
);

const failedOnce = doneOnce('a pull that fails on the way', ({ engine }) => {
  let layer = '';
  return withRegistry(engine, { denies: isLayer(() => layer) }, async (repository) => {
    layer = (await publish(engine, repository, 'one')).layer.digest;
    const query = { fromImage: repository.name, tag: 'one' };
    return { answer: await wholeStream(engine, '/images/create', { query }) };
  });
});

checkObjectFields(
  'images.create.field.',
  fixture('the objects of a pull', (context) => inObjects(answerOf(pulledOnce(context)))),
  fixture('the objects of a pull that fails on the way', (context) => failureInObjects(answerOf(failedOnce(context)))),
);

check('images.create.pull-answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  const { answer, image, name } = await pulledOnce(context);
  await givenPulled(context.engine, name, image);
  expect(answer).toHaveStatus(200);
});

check('images.create.missing-repository-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(answerOf(pulledOnce(context)), 200);
  await withRegistry(engine, {}, async (repository) => {
    const unknown = `${repository.registry.host}/${engine.unusedName('image')}`;
    const answer = await pull(engine, { fromImage: unknown, tag: 'one' });
    expectValue('the status', answer.status, [answer]).toBe(404);
  });
});

check('images.create.no-access-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(answerOf(pulledOnce(context)), 200);
  await withRegistry(engine, { denies: () => true }, async (repository) => {
    await publish(engine, repository, 'one');
    const answer = await pull(engine, { fromImage: repository.name, tag: 'one' });
    expectValue('the status', answer.status, [answer]).toBe(404);
  });
});

check(
  'images.create.fromImage-pulls',
  {
    faults: [
      swallows(200),
      on('GET /containers/{id}/archive', emptiesTarEntry('content')),
      ...layered.files.map((file) => on('GET /containers/{id}/archive', dropsTarEntry(`${layered.directory}/${file}`))),
      on('GET /containers/{id}/archive', addsEmptyEntry(`${layered.directory}/gone`)),
    ],
  },
  async (context) => {
    const { engine } = context;
    const pulled = pulledOnce(context);
    await given(answerOf(pulled), 200);
    const { image, name } = await pulled;
    await expectPulled(engine, name, image);
    const container = await makeContainer(engine, { config: { Image: name } });
    const answer = await engine.get(container.path('archive'), { path: '/content' });
    expect(answer).toHaveStatus(200);
    const file = (await readTar(answer.answer.body)).find(({ type }) => type === 'file')?.content;
    const isSame = file !== undefined && (await contentOf(image))?.equals(file) === true;
    expectValue('whether the file of the image has its bytes', isSame, [answer]).toBe(true);
    const inside = await engine.get(container.path('archive'), { path: `/${layered.directory}` });
    expect(inside).toHaveStatus(200);
    const files = (await readTar(inside.answer.body)).filter(({ type }) => type === 'file');
    const names = files.map((one) => one.name.split('/').at(-1) ?? '');
    expectValue('the files of its layers', names.toSorted(), [inside]).toBe([...layered.files]);
  },
);

check('images.create.pull-media-type', { faults: [dropsHeader('Content-Type')] }, async (context) => {
  const pulled = pulledOnce(context);
  const answer = await given(answerOf(pulled), 200);
  const { image, name } = await pulled;
  await givenPulled(context.engine, name, image);
  expect(answer).toHaveMediaType('application/json');
});

check(
  'images.create.repo-with-pull',
  { faults: [on('GET /images/{name}/json', answersStatus(200, 404))] },
  async ({ engine }) => {
    await withRegistry(engine, {}, async (repository) => {
      const image = await publish(engine, repository, 'one');
      await control(pull(engine, { fromImage: repository.name, tag: 'one' }), 200);
      await givenPulled(engine, `${repository.name}:one`, image);
      const { name, repository: repo } = newName(engine, 'one');
      // It may be refused, or pull under the name in the registry.
      const answer = await pull(engine, { fromImage: repository.name, repo, tag: 'one' });
      const named = await inspect(engine, name);
      expectValue('the status of inspect by the name in repo', named.status, [answer, named]).toBe(404);
    });
  },
);

/** Pulls every tag of the image, whichever fromImage names. */
const pullsAll: Fault = {
  name: 'pulls every tag',
  request: (request) => ({ ...request, path: request.path.replace(/%3Aone(?=&|$)/, '&tag=') }),
};

check('images.create.fromImage-tag', { faults: [swallows(200), pullsAll] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    const image = await publish(engine, repository, 'one');
    await publish(engine, repository, 'two');
    const answer = await pull(engine, { fromImage: `${repository.name}:one` });
    await expectPulled(engine, `${repository.name}:one`, image);
    // All tags are pulled where tag is empty; that one in fromImage says otherwise is only implied.
    const { status } = await inspect(engine, `${repository.name}:two`);
    expectValue('the status of inspect by another tag', status, [answer], { level: 'should' }).toBe(404);
  });
});

check('images.create.fromImage-digest', { faults: [swallows(200)] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    const image = await publish(engine, repository, 'one');
    const name = `${repository.name}@${image.manifest.digest}`;
    await pull(engine, { fromImage: name });
    await expectPulled(engine, name, image);
  });
});

check('images.create.tag-pull', { faults: [ignoresQuery('tag'), swallows(200)] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    const image = await publish(engine, repository, 'one', 'two');
    await given(pull(engine, { fromImage: repository.name, tag: 'one' }), 200);
    await expectPulled(engine, `${repository.name}:one`, image);
    await expectNone(engine, `${repository.name}:two`);
  });
});

check('images.create.tag-digest', { faults: [ignoresQuery('tag'), swallows(200)] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    const image = await publish(engine, repository, 'one');
    await publish(engine, repository, 'two');
    await pull(engine, { fromImage: repository.name, tag: image.manifest.digest });
    await expectPulled(engine, `${repository.name}@${image.manifest.digest}`, image);
    await expectNone(engine, `${repository.name}:two`);
  });
});

check('images.create.tag-empty-all', { faults: [takesQueryAs('tag', 'one'), swallows(200)] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    const one = await publish(engine, repository, 'one');
    const two = await publish(engine, repository, 'two');
    await given(pull(engine, { fromImage: repository.name, tag: '' }), 200);
    await expectPulled(engine, `${repository.name}:one`, one);
    await expectPulled(engine, `${repository.name}:two`, two);
  });
});

check('images.create.pull-cancelled', { faults: [ignoresDrop()], slowToFail: true }, async ({ engine }) => {
  /** A pull whose request for a layer is held unanswered. */
  const heldPull = async (then: (pulling: Leaving, held: Held) => Promise<void>) => {
    let layer = '';
    await withRegistry(engine, { holds: isLayer(() => layer) }, async (repository) => {
      const { registry, name } = repository;
      layer = (await publish(engine, repository, 'one')).layer.digest;
      const query = { fromImage: name, tag: 'one' };
      const pulling = new Leaving(engine, '/images/create', { query });
      await pulling.untilHeld(registry, 'the daemon asks for the layer');
      const isThrough = async () => (await inspect(engine, `${name}:one`)).status === 200;
      await then(pulling, { registry, isThrough });
    });
  };
  await expectAbandoned('the pull', heldPull);
});

check('images.create.error-in-stream', { faults: [...hidesErrors, answersStatus(418, 200)] }, async (context) => {
  expectFailureTold((await failedOnce(context)).answer);
});

const asksWithAuth = [ignoresHeader('X-Registry-Auth')];

/** Answers a refused pull like a successful one. */
const hidesRefusal: Fault = {
  ...changesStream('says nothing of what the registry refused', () => Buffer.from('{"status":"pulled"}')),
  head: (head) => ({ ...head, status: 200 }),
};

check(
  'images.create.X-Registry-Auth-credentials',
  { faults: [...asksWithAuth, keepsFirstHeader('X-Registry-Auth'), hidesRefusal] },
  async ({ engine }) => {
    await withRegistry(engine, { access: 'basic' }, async (repository) => {
      const { user } = repository.registry.access;
      const image = await publish(engine, repository, 'one');
      await pull(engine, { fromImage: repository.name, tag: 'one' }, registryAuth(passwordOf(user)));
      await expectPulled(engine, `${repository.name}:one`, image);
      await publish(engine, repository, 'two');
      const query = { fromImage: repository.name, tag: 'two' };
      const options = { query, headers: registryAuth(wrongPasswordOf(user)) };
      const answer = await wholeStream(engine, '/images/create', options);
      await expectNone(engine, `${repository.name}:two`);
      expectFailureTold(answer);
    });
  },
);

const hidesLack = [until(newestDocumented, answersStatus(500, 404)), answersStatus(403, 404)];

check('images.create.no-credentials-404', { faults: hidesLack }, async ({ engine }) => {
  await withRegistry(engine, { access: 'basic' }, async (repository) => {
    const { name: fromImage, registry } = repository;
    await publish(engine, repository, 'one');
    await publish(engine, repository, 'two');
    await control(pull(engine, { fromImage, tag: 'one' }, registryAuth(passwordOf(registry.access.user))), 200);
    const answer = await pull(engine, { fromImage, tag: 'two' });
    expect(answer).toHaveStatus(404);
  });
});

check('images.create.X-Registry-Auth-malformed', { faults: [] }, async ({ engine }) => {
  await withRegistry(engine, {}, async (repository) => {
    await publish(engine, repository, 'one');
    for (const [what, value] of [
      ['no base64', '!!!'],
      ['no JSON', Buffer.from('ec, no JSON').toString('base64')],
    ] as const) {
      const answer = await pull(engine, { fromImage: repository.name, tag: 'one' }, { 'X-Registry-Auth': value });
      observe(`answers ${answer.status} to a header that is ${what}`, answer);
    }
  });
});

check('images.create.X-Registry-Auth-identitytoken', { faults: asksWithAuth }, async ({ engine }) => {
  await withRegistry(engine, { access: 'bearer' }, async (repository) => {
    const image = await publish(engine, repository, 'one');
    const headers = registryAuth({ identitytoken: repository.registry.access.user.identityToken });
    await pull(engine, { fromImage: repository.name, tag: 'one' }, headers);
    await expectPulled(engine, `${repository.name}:one`, image);
  });
});

check('images.create.X-Registry-Auth-base64', { faults: [...asksWithAuth, knowsUrlSafeOnly] }, async ({ engine }) => {
  await withRegistry(engine, { access: 'basic', password: passwordWithBothSigns }, async (repository) => {
    const image = await publish(engine, repository, 'one');
    const headers = registryAuth(passwordOf(repository.registry.access.user));
    await pull(engine, { fromImage: repository.name, tag: 'one' }, headers);
    await expectPulled(engine, `${repository.name}:one`, image);
  });
});
