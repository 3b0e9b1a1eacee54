import { createHash } from 'node:crypto';
import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { countObjects } from '../../harness/engine/objects.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, dropsHeader } from '../../harness/faults/answers.ts';
import { type Fault, on } from '../../harness/faults/fault.ts';
import { dropsField, setsField } from '../../harness/faults/fields.ts';
import { inEachObject, separatesObjects } from '../../harness/faults/objects.ts';
import { ignoresQuery, swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { writer } from '../support/common-containers.ts';
import { answerOf, doneOnce } from '../support/done-once.ts';
import { hidesErrors, hidesErrorsWith } from '../support/error-objects.ts';
import { ifThere } from '../support/shared-results.ts';
import { no, yes } from '../support/spellings.ts';
import type { ImageContext } from './support/committed-images.ts';
import { filesIn, idOf, inspectImage, makeImage, newName, wholeId } from './support/committed-images.ts';
import {
  checkObjectFields,
  expectFailureTold,
  failureInObjects,
  inObjects,
  objectsOf,
  streamed,
  wholeStream,
} from './support/json-stream.ts';
import { imageTarball } from './support/tarball.ts';

const headers = { 'content-type': 'application/x-tar' };

/** A saved image of the check's own that has been removed from the daemon, which does not have its layer any more. */
async function archiveOf({ engine, use }: ImageContext): Promise<{ name: string; body: Buffer }> {
  const from = await makeContainer(engine, { run: ['write', '/ec-own', engine.unusedName('image')], state: 'exited' });
  const { name } = await makeImage({ engine, use }, { from });
  const { answer } = await given(engine.get(`/images/${name}/get`), 200);
  await given(engine.delete(`/images/${name}`), 200);
  return { name, body: answer.body };
}

/** Nothing in its answer is judged yet. */
const loadedOnce = doneOnce('a load of an image', async (context) => {
  const archive = await archiveOf(context);
  return { archive, answer: await wholeStream(context.engine, '/images/load', { body: archive.body, headers }) };
});

/** Loaded with progress requested; another rule judges that it comes by default. */
const loaded = fixture('the stream of a load', async ({ engine, use }) => {
  const { body } = await archiveOf({ engine, use });
  return streamed(engine, '/images/load', { body, headers, query: { quiet: 0 } });
});

/** A load of the first part of an archive, which the daemon loads as a whole. */
const partLoaded = doneOnce('a load of a part of an archive', async (context) => {
  const loaded = loadedOnce(context);
  await control(answerOf(loaded), 200);
  const body = (await loaded).archive.body.subarray(0, 2000);
  return { body, answer: await wholeStream(context.engine, '/images/load', { body, headers }) };
});

const failed = fixture('the stream of a load that fails', (context) => failureInObjects(answerOf(partLoaded(context))));

checkObjectFields('images.load.field.', loaded, failed);

check('images.load.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect((await loadedOnce(context)).answer).toHaveStatus(200);
});

for (const rule of ['images.load.image-there', 'images.load.body-media-type'] as const) {
  check(rule, { faults: [swallows(200)] }, async (context) => {
    const loaded = loadedOnce(context);
    await given(answerOf(loaded), 200);
    expect(await inspectImage(context.engine, (await loaded).archive.name)).toHaveStatus(200);
  });
}

/**
 * Treats whiteout files as files of an image. The letters are only reordered, which leaves the checksums as they are.
 */
const keepsWhiteouts: Fault = {
  name: 'knows no whiteouts',
  request: (request) => {
    if (!request.body) return request;
    return { ...request, body: Buffer.from(request.body.toString('latin1').replaceAll('.wh.', '.hw.'), 'latin1') };
  },
};

check('images.load.old-format', { faults: [swallows(200), keepsWhiteouts] }, async ({ engine }) => {
  const { name, repository } = newName(engine);
  const [base, top] = ['base', 'top'].map((part) =>
    createHash('sha256')
      .update(part + name)
      .digest('hex'),
  );
  if (base === undefined || top === undefined) return;
  const config = { Labels: { ...engine.sandbox.labels }, Cmd: ['/probe'] };
  const layers = [
    { id: base, files: { 'ec-one': '1', 'ec-two': '2' } },
    { id: top, parent: base, config, files: { '.wh.ec-one': '', 'ec-three': '3' } },
  ];
  const body = await imageTarball(layers, { [repository]: { ec: top } });
  await engine.post('/images/load', { body, headers });
  const found = await inspectImage(engine, name);
  expect(found).toHaveStatus(200);
  const files = await filesIn(engine, name, '/ec-one', '/ec-two', '/ec-three');
  expectValue('the files of the image', files, [found]).toBe({
    '/ec-one': undefined,
    '/ec-two': '2',
    '/ec-three': '3',
  });
});

/** Gives the second name of an archive to no image. The letters are only reordered, as sizes are to be kept. */
const loadsFirstName: Fault = {
  name: 'loads the first of several names',
  request: (request) => {
    if (!request.body) return request;
    return {
      ...request,
      body: Buffer.from(request.body.toString('latin1').replaceAll('ec-second', 'ec-dnoces'), 'latin1'),
    };
  },
};

const oneForAll = on('GET /images/{name}/json', setsField('Id', 'another'));

check('images.load.several-names', { faults: [loadsFirstName, swallows(200), oneForAll] }, async ({ engine, use }) => {
  // Of other files, so that no engine may take them for one image.
  const [one, other] = [
    await makeImage({ engine, use }),
    await makeImage({ engine, use }, { from: await use(writer) }),
  ];
  const names = [one.name, `${one.repository}:ec-second`];
  engine.made({ kind: 'image', name: names[1] ?? '' });
  await given(engine.post(`/images/${other.name}/tag`, { query: { repo: one.repository, tag: 'ec-second' } }), 201);
  await given(engine.delete(`/images/${other.name}`), 200);
  const { answer } = await given(engine.get('/images/get', { names }), 200);
  for (const name of names) {
    await given(engine.delete(`/images/${name}`), 200);
    await given(inspectImage(engine, name), 404);
  }
  expect(await engine.post('/images/load', { body: answer.body, headers })).toHaveStatus(200);
  const found = [];
  for (const name of names) found.push(await inspectImage(engine, name));
  const statuses = found.map(({ status }) => status);
  expectValue('the statuses of inspect of the images', statuses, found).toBe([200, 200]);
  expectValue('the number of images that the names find', new Set(found.map(idOf)).size, found).toBe(2);
});

check('images.load.without-repositories', { faults: [answersStatus(500, 200)] }, async ({ engine, use }) => {
  const { id: digits, name } = await makeImage({ engine, use });
  const id = wholeId(engine, digits);
  const { answer } = await given(engine.get(`/images/${id}/get`), 200);
  await given(engine.delete(`/images/${name}`), 200);
  const { status } = await inspectImage(engine, id);
  if (status === 200) throw new Blocked('the image was not removed');
  engine.made({ kind: 'image', name: id });
  expect(await engine.post('/images/load', { body: answer.body, headers })).toHaveStatus(200);
  const found = await inspectImage(engine, id);
  expectValue('the status of inspect by its identifier', found.status, [found], { level: 'should' }).toBe(200);
});

check('images.load.empty-body', { faults: [answersBody('loaded')] }, async (context) => {
  const loaded = loadedOnce(context);
  await given(answerOf(loaded), 200);
  // Loaded once more as one exchange; that the daemon has the image by now does not matter here.
  const { body } = (await loaded).archive;
  expect(await given(context.engine.post('/images/load', { body, headers }), 200)).toBeEmptyBody();
});

check('images.load.media-type', { faults: [dropsHeader('Content-Type')] }, async (context) => {
  expect(await given(answerOf(loadedOnce(context)), 200)).toHaveMediaType('application/json');
});

check('images.load.objects-in-a-row', { faults: [separatesObjects(',')] }, async (context) => {
  const { answer } = await loadedOnce(context);
  await given(Promise.resolve(answer), 200);
  expectValue('the number of objects', countObjects(answer.answer.body), [answer]).toBeAtLeast(1);
});

check('images.load.chunked', { faults: [dropsHeader('Transfer-Encoding')] }, async (context) => {
  expect(await given(answerOf(loadedOnce(context)), 200)).toHaveHeader('Transfer-Encoding', 'chunked');
});

check('images.load.ends-with-stream', { faults: [inEachObject(dropsField('stream'))] }, async (context) => {
  const answer = await inObjects(answerOf(loadedOnce(context)));
  expectValue('the last object', typeof objectsOf(answer).at(-1)?.stream, [answer]).toBe('string');
});

const progressMembers = ['status', 'progress', 'progressDetail'];

/** Whether the stream of a load has progress besides its result. The daemon must not have had the image. */
function hasProgress(answer: Exchange): boolean {
  return objectsOf(answer).some((object) => progressMembers.some((member) => member in object));
}

const spellings = [...yes, ...no];

/** Loads of one archive with all spellings of `quiet`. The daemon has none of its layers before each. */
const loadedWithEach = doneOnce('loads with all spellings of quiet', async ({ engine, use }) => {
  const { name, body } = await archiveOf({ engine, use });
  const answers: Exchange[] = [];
  for (const quiet of spellings) {
    answers.push(await streamed(engine, '/images/load', { body, headers, query: { quiet } }));
    // Makes the next load transfer the layers again.
    await given(engine.delete(`/images/${name}`), 200);
  }
  return answers;
});

/** A load of an archive of its own with `quiet`. */
async function loadedQuietly({ engine, use }: ImageContext): Promise<Exchange> {
  const { body } = await archiveOf({ engine, use });
  return streamed(engine, '/images/load', { body, headers, query: { quiet: true } });
}

check('images.load.quiet-true', { faults: [ignoresQuery('quiet')] }, async (context) => {
  const [first] = (await ifThere(loadedWithEach(context))) ?? [];
  const answer = first ?? (await loadedQuietly(context));
  expectValue('whether it has progress', hasProgress(answer), [answer]).toBe(false);
  expectValue('the number of objects', objectsOf(answer).length, [answer]).toBe(1);
});

check('images.load.quiet-default-false', { faults: [takesQueryAs('quiet', '1')] }, async (context) => {
  const answer = await inObjects(answerOf(loadedOnce(context)));
  expectValue('whether it has progress', hasProgress(answer), [answer]).toBe(true);
});

/** Takes one spelling of true for false. */
function takesForFalse(spelling: string): Fault {
  return takesSpelling(spelling, '0');
}

/** Takes one spelling of false for true. */
function takesForTrue(spelling: string): Fault {
  return takesSpelling(spelling, '1');
}

function takesSpelling(spelling: string, as: string): Fault {
  return {
    name: `takes quiet=${spelling} as ${as}`,
    request: (request) => ({ ...request, path: request.path.replace(`quiet=${spelling}`, `quiet=${as}`) }),
  };
}

check(
  'images.load.quiet-spellings',
  { faults: [...yes.map(takesForFalse), ...no.map(takesForTrue)] },
  async (context) => {
    const answers = await loadedWithEach(context);
    const shown = answers.map((answer, place) => [spellings[place], hasProgress(answer)]);
    const wanted = [...yes.map((spelling) => [spelling, false]), ...no.map((spelling) => [spelling, true])];
    expectValue('whether it has progress, by spelling', Object.fromEntries(shown), answers).toBe(
      Object.fromEntries(wanted),
    );
  },
);

check('images.load.error-in-stream', { faults: [...hidesErrors, ...hidesErrorsWith('quiet')] }, async (context) => {
  const { answer, body } = await partLoaded(context);
  expectFailureTold(answer);
  // Progress is left out with quiet, and errors are none.
  expectFailureTold(await wholeStream(context.engine, '/images/load', { body, headers, query: { quiet: true } }));
});
