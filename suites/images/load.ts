import { createHash } from 'node:crypto';
import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import { countObjects } from '../../harness/engine/objects.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, dropsHeader } from '../../harness/faults/answers.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { dropsField } from '../../harness/faults/fields.ts';
import { inEachObject, separatesObjects } from '../../harness/faults/objects.ts';
import { ignoresQuery, swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { no, yes } from '../support/spellings.ts';
import type { ImageContext } from './support/committed-images.ts';
import { fileIn, inspectImage, makeImage, newName } from './support/committed-images.ts';
import {
  checkObjectFields,
  expectFailureTold,
  objectsOf,
  streamed,
  streamedFailure,
  wholeStream,
} from './support/json-stream.ts';
import { imageTarball } from './support/tarball.ts';

const headers = { 'content-type': 'application/x-tar' };

/** A saved image of the check's own that has been removed from the daemon. */
async function archiveOf({ engine, use }: ImageContext): Promise<{ name: string; body: Buffer }> {
  // Its layer has a unique file, so that the daemon does not have the layer already.
  const content = engine.name('image');
  const from = await makeContainer(engine, { run: ['write', '/ec-own', content], state: 'exited' });
  const { name } = await makeImage({ engine, use }, { from });
  const { answer } = await given(engine.get(`/images/${name}/get`), 200);
  await given(engine.delete(`/images/${name}`), 200);
  return { name, body: answer.body };
}

/**
 * An archive that is loaded again and again, for checks of the answer only: for them it does not matter whether the
 * daemon already has its layers.
 */
const savedArchive = fixture('the archive of an image', async (context) => (await archiveOf(context)).body);

function load(engine: Engine, body: Buffer, query: Query = {}): Promise<Exchange> {
  return engine.post('/images/load', { body, headers, query });
}

/** Loaded with progress requested; another rule judges that it comes by default. */
const loaded = fixture('the stream of a load', async ({ engine, use }) => {
  const { body } = await archiveOf({ engine, use });
  return streamed(engine, '/images/load', { body, headers, query: { quiet: 0 } });
});

const failed = fixture('the stream of a load that fails', async ({ engine, use }) => {
  const { body } = await archiveOf({ engine, use });
  const whole = await given(engine.open('POST', '/images/load', { body, headers }), 200);
  await settled(whole.rest(), 'the load of the whole archive');
  return streamedFailure(engine, '/images/load', { body: body.subarray(0, 2000), headers });
});

checkObjectFields('images.load.field.', loaded, failed);

check('images.load.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine, use }) => {
  expect(await load(engine, await use(savedArchive))).toHaveStatus(200);
});

for (const rule of ['images.load.image-there', 'images.load.body-media-type'] as const) {
  check(rule, { faults: [swallows(200)] }, async ({ engine, use }) => {
    const { name, body } = await archiveOf({ engine, use });
    await given(load(engine, body), 200);
    expect(await inspectImage(engine, name)).toHaveStatus(200);
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
  await load(engine, await imageTarball(layers, { [repository]: { ec: top } }));
  const found = await inspectImage(engine, name);
  expect(found).toHaveStatus(200);
  const files: Record<string, string | undefined> = {};
  for (const file of ['ec-one', 'ec-two', 'ec-three']) files[file] = await fileIn(engine, name, `/${file}`);
  expectValue('the files of the image', files, [found]).toBe({ 'ec-one': undefined, 'ec-two': '2', 'ec-three': '3' });
});

check('images.load.empty-body', { faults: [answersBody('loaded')] }, async ({ engine, use }) => {
  expect(await given(load(engine, await use(savedArchive)), 200)).toBeEmptyBody();
});

check('images.load.media-type', { faults: [dropsHeader('Content-Type')] }, async ({ engine, use }) => {
  expect(await given(load(engine, await use(savedArchive)), 200)).toHaveMediaType('application/json');
});

check('images.load.objects-in-a-row', { faults: [separatesObjects(',')] }, async ({ engine, use }) => {
  const live = await given(engine.open('POST', '/images/load', { body: await use(savedArchive), headers }), 200);
  expectValue('the number of objects', countObjects(await live.rest()), [live]).toBeAtLeast(1);
});

check('images.load.chunked', { faults: [dropsHeader('Transfer-Encoding')] }, async ({ engine, use }) => {
  expect(await given(load(engine, await use(savedArchive)), 200)).toHaveHeader('Transfer-Encoding', 'chunked');
});

check('images.load.ends-with-stream', { faults: [inEachObject(dropsField('stream'))] }, async ({ engine, use }) => {
  const answer = await streamed(engine, '/images/load', { body: (await archiveOf({ engine, use })).body, headers });
  expectValue('the last object', typeof objectsOf(answer).at(-1)?.stream, [answer]).toBe('string');
});

type Archive = Awaited<ReturnType<typeof archiveOf>>;

/** Whether the stream of a load has progress besides its result. The daemon must not have the image yet. */
async function progressOf(
  engine: Engine,
  { body }: Archive,
  query: Query,
): Promise<{ answer: Exchange; progress: boolean }> {
  const answer = await streamed(engine, '/images/load', { body, headers, query });
  return { answer, progress: objectsOf(answer).some((object) => 'status' in object || 'progressDetail' in object) };
}

check('images.load.quiet-true', { faults: [ignoresQuery('quiet')] }, async ({ engine, use }) => {
  const { answer, progress } = await progressOf(engine, await archiveOf({ engine, use }), { quiet: true });
  expectValue('whether it has progress', progress, [answer]).toBe(false);
  expectValue('the number of objects', objectsOf(answer).length, [answer]).toBe(1);
});

check('images.load.quiet-default-false', { faults: [takesQueryAs('quiet', '1')] }, async ({ engine, use }) => {
  const { answer, progress } = await progressOf(engine, await archiveOf({ engine, use }), {});
  expectValue('whether it has progress', progress, [answer]).toBe(true);
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
  async ({ engine, use }) => {
    const shown = new Map<string, boolean>();
    const answers: Exchange[] = [];
    const archive = await archiveOf({ engine, use });
    for (const quiet of [...yes, ...no]) {
      const { answer, progress } = await progressOf(engine, archive, { quiet });
      // Makes the next load transfer the layers again.
      await given(engine.delete(`/images/${archive.name}`), 200);
      answers.push(answer);
      shown.set(quiet, progress);
    }
    const wanted = [...yes.map((spelling) => [spelling, false]), ...no.map((spelling) => [spelling, true])];
    expectValue('whether it has progress, by spelling', Object.fromEntries(shown), answers).toBe(
      Object.fromEntries(wanted),
    );
  },
);

check('images.load.error-in-stream', { faults: [inEachObject(dropsField('error'))] }, async ({ engine, use }) => {
  const { body } = await archiveOf({ engine, use });
  const whole = await control(engine.open('POST', '/images/load', { body, headers }), 200);
  await settled(whole.rest(), 'the load of the whole archive');
  expectFailureTold(await wholeStream(engine, '/images/load', { body: body.subarray(0, 2000), headers }));
});
