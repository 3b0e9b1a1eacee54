import { gunzipSync } from 'node:zlib';
import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { readTar, type TarEntry } from '../../harness/engine/tar.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import {
  addsEmptyEntry,
  addsLayerWith,
  deletesInLayers,
  dropsFromLayers,
  dropsLayersWith,
  dropsTarEntry,
  setsTarEntries,
} from '../../harness/faults/archives.ts';
import { type Fault, on, onRepeats } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { doesInstead } from '../../harness/faults/requests.ts';
import { changesStream } from '../../harness/faults/streams.ts';
import { archive } from '../../harness/probe/archive.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { documentedVersions } from '../../specs/versions.ts';
import { commonContainer, writer } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import {
  type CommittedImage,
  fileIn,
  findsNoWholeId,
  idOf,
  inspectImage,
  makeImage,
  missingImage,
  wholeId,
} from './support/committed-images.ts';
import { described } from './support/common-images.ts';
import { parsed, type ReadTarball, readTarball } from './support/tarball.ts';

function save(engine: Engine, name: string): Promise<Exchange> {
  return engine.get(`/images/${name}/get`);
}

function saveSeveral(engine: Engine, names: readonly string[]): Promise<Exchange> {
  return engine.get('/images/get', { names });
}

/** Reorders letters wherever the archive has a text, so that its checksums still match. */
function replaces(from: string, to: string): Fault {
  return changesStream(`has ${JSON.stringify(to)} for ${JSON.stringify(from)}`, (bytes) =>
    Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1'),
  );
}

const half = changesStream('sends half of the archive', (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2) + 7));

/** Answers 200 to what it should refuse. */
const refusalAs200: Fault = {
  name: 'answers 200 to a name that no image has',
  answer: (answer) => (answer.status >= 400 ? { ...answer, status: 200 } : answer),
};

/** An image that adds a file of its own and deletes one of its base image. */
const changed = fixture(
  'an image with other files',
  async ({ engine, use }) => makeImage({ engine, use }, { from: await use(writer) }),
  { allVersions: (made) => made },
);

/** What the layers in an archive of `changed` hold: a file of its own, and one of its base image. */
const ofChanged = ['ec-written', 'probe'];
/** What an image of `keeper` holds. */
const ofKeeper = 'ec-kept';

const keeper = commonContainer('a container that has written another file', {
  run: ['write', '/ec-kept', 'bytes'],
  state: 'exited',
});

/**
 * A container whose image adds a directory with a file to the probe image, and changes the permissions of another
 * directory. It has replaced the first directory by a new one with another file, and ended.
 */
const remaker = fixture(
  'a container that has made a directory anew',
  async ({ engine, use }) => {
    const below = await makeContainer(engine);
    const members = [
      { name: 'work/', mode: 0o700 },
      { name: 'ec-dir/', mode: 0o755 },
      { name: 'ec-dir/old', mode: 0o644, content: Buffer.from('old') },
    ];
    const body = await archive(members, new Date('2024-01-01T00:00:00Z'));
    const headers = { 'content-type': 'application/x-tar' };
    await given(engine.request('PUT', below.path('archive'), { query: { path: '/' }, body, headers }), 200);
    const { name } = await makeImage({ engine, use }, { from: below });
    const run = ['remove', '/ec-dir/old', 'remove', '/ec-dir', 'mkdir', '/ec-dir', 'write', '/ec-dir/new', 'bytes'];
    const made = await makeContainer(engine, { config: { Image: name }, run, state: 'exited' });
    return { id: made.id };
  },
  { allVersions: (made) => made },
);

const remade = fixture(
  'an image with a directory made anew',
  async ({ engine, use }) => makeImage({ engine, use }, { from: await use(remaker) }),
  { allVersions: (made) => made },
);

const savedRemade = fixture('the archive of an image with a directory made anew', async ({ engine, use }) =>
  given(save(engine, (await use(remade)).name), 200),
);

const saved = fixture('the archive of an image', async ({ engine, use }) => {
  const image = await use(changed);
  const answer = await given(save(engine, image.name), 200);
  return { image, answer };
});

/**
 * The layers' archives. From 1.24 on the manifest may name them, where there are no directories (Document 4, Images).
 */
function layerFiles(tarball: ReadTarball, { request }: Exchange): readonly string[] {
  const inDirectories = tarball.layers.map((id) => `${id}/layer.tar`);
  if (isOfDocumentedVersion(request) || inDirectories.length > 0) return inDirectories;
  const manifest = tarball.json('manifest.json') ?? null;
  return valuesAt({ manifest }, 'manifest[].Layers').flat().map(String);
}

/** Whether a request was made in a version that Documents 1 to 3 specify. */
function isOfDocumentedVersion({ path }: Exchange['request']): boolean {
  return documentedVersions.some((api) => path.startsWith(`/v${api}/`));
}

/** The archive of a layer. From 1.24 on it is in a place that may have it compressed, as a registry has it. */
function unpacked(layer: Buffer, { request }: Exchange): Buffer {
  const isPacked = layer[0] === 0x1f && layer[1] === 0x8b && !isOfDocumentedVersion(request);
  try {
    return isPacked ? gunzipSync(layer) : layer;
  } catch {
    return layer; // What is broken is no archive.
  }
}

/** The names of the entries in every layer of the archive. */
async function filesIn(answer: Exchange): Promise<string[]> {
  return (await entriesIn(answer)).map(({ name }) => name);
}

async function entriesIn(answer: Exchange): Promise<TarEntry[]> {
  return (await layersIn(answer)).flat();
}

/** What each layer has. */
async function layersIn(answer: Exchange): Promise<TarEntry[][]> {
  const tarball = await readTarball(answer.answer.body);
  const layers = layerFiles(tarball, answer).flatMap((name) => tarball.file(name) ?? []);
  return Promise.all(layers.map((layer) => readTar(unpacked(layer, answer))));
}

/** Judges which of the files are in the layers of an archive. */
async function expectFiles(answer: Exchange, wanted: Readonly<Record<string, boolean>>): Promise<void> {
  const files = await filesIn(answer);
  const there = Object.fromEntries(Object.keys(wanted).map((file) => [file, files.includes(file)]));
  expectValue('whether the layers have each file', there, [answer]).toBe(wanted);
}

const ofOne = { ...Object.fromEntries(ofChanged.map((file) => [file, true])), [ofKeeper]: false };
const ofBoth = { ...ofOne, [ofKeeper]: true };
/** One fault with too few files, and one with too many. */
const notOfOne = [dropsLayersWith('probe'), dropsLayersWith('ec-written'), addsLayerWith(ofKeeper)];

/** The names in `repositories`, without a registry that the daemon put in front. */
async function names(answer: Exchange): Promise<string[]> {
  const { names } = await readTarball(answer.answer.body);
  return [...(names?.keys() ?? [])].map((name) => name.split('/').at(-1) ?? '').sort();
}

for (const [prefix, ask] of [
  ['images.save', save],
  ['images.save-several', (engine: Engine, name: string) => saveSeveral(engine, [name])],
] as const) {
  // Nothing in its answer is judged yet.
  const asked = doneOnce(`the answer of ${prefix}`, async ({ engine, use }) =>
    ask(engine, (await use(described)).name),
  );

  check(`${prefix}.answers-200`, { faults: [answersStatus(204, 200)] }, async (context) => {
    expect(await asked(context)).toHaveStatus(200);
  });

  const typeFaults = [dropsHeader('Content-Type'), setsHeader('Content-Type', 'text/plain')];
  check(`${prefix}.media-type`, { faults: typeFaults }, async (context) => {
    expect(await given(asked(context), 200)).toHaveMediaType('application/x-tar');
  });

  check(`${prefix}.body-tar`, { faults: [half] }, async (context) => {
    const answer = await given(asked(context), 200);
    expectValue('the number of entries', (await readTar(answer.answer.body)).length, [answer]).toBeAtLeast(1);
  });

  check(`${prefix}.unknown-refused`, { faults: [refusalAs200] }, async (context) => {
    const { engine } = context;
    await control(asked(context), 200);
    expect(await ask(engine, engine.unusedName('image'))).toHaveStatus(404, 500);
  });
}

const twoTags = fixture(
  'two names of one repository for two images',
  async ({ engine, use }): Promise<readonly [CommittedImage, string]> => {
    // Each has a file that the other lacks.
    const one = await makeImage({ engine, use }, { from: await use(writer) });
    const other = await makeImage({ engine, use }, { from: await use(keeper) });
    const name = `${one.repository}:other`;
    engine.made({ kind: 'image', name });
    await given(engine.post(`/images/${other.name}/tag`, { query: { repo: one.repository, tag: 'other' } }), 201);
    return [one, name];
  },
  { allVersions: (made) => made },
);

check(
  'images.save.by-repository-name',
  { faults: [dropsTarEntry('repositories'), dropsLayersWith(ofKeeper), dropsLayersWith('probe')] },
  async ({ engine, use }) => {
    const [one, other] = await use(twoTags);
    const answer = await save(engine, one.repository);
    expect(answer).toHaveStatus(200);
    expectValue('the names in repositories', await names(answer), [answer]).toBe([one.name, other].sort());
    await expectFiles(answer, ofBoth);
  },
);

check('images.save.by-name-tag', { faults: [doesInstead(':ec/get', '/get'), ...notOfOne] }, async ({ engine, use }) => {
  const [one] = await use(twoTags);
  const answer = await given(save(engine, one.name), 200);
  expectValue('the names in repositories', await names(answer), [answer]).toBe([one.name]);
  await expectFiles(answer, ofOne);
});

check(
  'images.save.by-id',
  { faults: [missingImage, findsNoWholeId, replaces('ec-written', 'ec-wirtten'), ...notOfOne] },
  async ({ engine, use }) => {
    const [{ id }] = await use(twoTags);
    const answer = await save(engine, wholeId(engine, id));
    expect(answer).toHaveStatus(200);
    await expectFiles(answer, ofOne);
  },
);

check('images.save.id-without-repositories', { faults: [addsEmptyEntry('repositories')] }, async ({ engine, use }) => {
  const { id } = await use(described);
  await expectNoNames(await given(save(engine, wholeId(engine, id)), 200));
});

/** Judges that an archive has no file with names of its images. */
async function expectNoNames(answer: Exchange): Promise<void> {
  const tarball = await readTarball(answer.answer.body);
  expectValue('repositories', tarball.file('repositories')?.toString(), [answer]).toBeAbsent();
}

check('images.save.repositories', { faults: [dropsTarEntry('repositories')] }, async ({ use }) => {
  const { answer, image } = await use(saved);
  const tarball = await readTarball(answer.answer.body);
  const layer = [...(tarball.names ?? [])].find(([name]) => name.split('/').at(-1) === image.name)?.[1];
  expectValue('the layer of the image in repositories', layer, [answer]).toSatisfy(
    'the identifier of a layer of the archive',
    (id) => typeof id === 'string' && (tarball.layers.includes(id) || !isOfDocumentedVersion(answer.request)),
  );
});

check(
  'images.save.layer-directories',
  {
    faults: [
      changesStream('has no layers', () => Buffer.alloc(1024)),
      dropsLayersWith('probe'),
      dropsFromLayers('ec-dir/new'),
    ],
  },
  async ({ use }) => {
    const { answer } = await use(saved);
    const { layers } = await readTarball(answer.answer.body);
    expectValue('the number of directories named by an identifier', layers.length, [answer]).toBeAtLeast(1);
    // How files are distributed over layers is up to the engine; that each layer has a directory is not.
    await expectFiles(answer, Object.fromEntries(ofChanged.map((file) => [file, true])));
    await expectFiles(await use(savedRemade), { 'ec-dir/new': true });
  },
);

const layerMembers = [
  ['images.save.layer-VERSION', 'VERSION', [replaces('/VERSION', '/VERSINO')]],
  [
    'images.save.layer-json',
    'json',
    [replaces('/json', '/josn'), setsTarEntries('/json', '{}'), setsTarEntries('/json', 'no JSON')],
  ],
  ['images.save.layer-tar', 'layer.tar', [replaces('/layer.tar', '/layer.atr'), setsTarEntries('/layer.tar', '')]],
] as const;

/** Judges a file of a layer by its name. */
const holdsMember = {
  VERSION: async (file: Buffer) => file.toString().trim() === '1.0',
  // Which members it has is not stated, but it has some.
  json: async (file: Buffer) => {
    const json = parsed(file);
    return isObject(json) && Object.keys(json).length > 0;
  },
  'layer.tar': async (file: Buffer) => (await readTar(file)).length >= 0,
} as const;

for (const [rule, member, faults] of layerMembers) {
  check(rule, { faults }, async ({ use }) => {
    const { answer } = await use(saved);
    const tarball = await readTarball(answer.answer.body);
    expectValue('the number of layers', tarball.layers.length, [answer]).toBeAtLeast(1);
    for (const layer of tarball.layers) {
      const file = tarball.file(`${layer}/${member}`);
      expectValue(`${member} of a layer`, file?.subarray(0, 64), [answer]).toBeThere();
      if (!file) continue;
      expectValue(`${member} of a layer is as it is to be`, await holdsMember[member](file), [answer]).toBe(true);
    }
  });
}

/** The ways in which a layer may delete what lower layers have in a directory. */
const removals = ['ec-dir/.wh..wh..opq', 'ec-dir/.wh.old', '.wh.ec-dir'];

check(
  'images.save.layer-whiteouts',
  { faults: [replaces('.wh.group', '.hw.group'), dropsFromLayers(...removals)] },
  async ({ use }) => {
    const archives = [
      { answer: (await use(saved)).answer, deleted: 'etc/group', marks: ['etc/.wh.group'] },
      { answer: await use(savedRemade), deleted: 'ec-dir/old', marks: removals },
    ];
    let isJudged = false;
    for (const { answer, deleted, marks } of archives) {
      const files = await filesIn(answer);
      // An image may be in one layer, which has nothing to delete.
      if (!files.includes(deleted)) continue;
      isJudged = true;
      expectValue('the files of the layers', files, [answer]).toSatisfy(`one of ${marks.join(', ')}`, () =>
        marks.some((one) => files.includes(one)),
      );
    }
    if (!isJudged) throw new NotApplicable('no layer has a file that the image has not');
  },
);

/** Files of the image, by what a layer without them would delete them with. */
const whiteoutsOf = { probe: ['.wh.probe'], 'etc/passwd': ['etc/.wh.passwd', 'etc/.wh..wh..opq', '.wh.etc'] } as const;

check('images.save.layer-whiteouts-only', { faults: [deletesInLayers('probe')] }, async ({ use }) => {
  const { answer } = await use(saved);
  const layers = (await layersIn(answer)).map((entries) => entries.map(({ name }) => name));
  const deleted = Object.entries(whiteoutsOf).flatMap(([file, marks]) =>
    layers.some((files) => !files.includes(file) && marks.some((mark) => files.includes(mark))) ? [file] : [],
  );
  expectValue('files of the image that a layer deletes', deleted, [answer]).toBe([]);
});

check('images.save.layer-attributes', { faults: [dropsFromLayers('work')] }, async ({ use }) => {
  const answer = await use(savedRemade);
  const modes = (await entriesIn(answer)).filter(({ name }) => name === 'work').map(({ mode }) => mode.toString(8));
  expectValue('the modes of work in the layers', modes, [answer]).toContain('700');
});

/** What an archive is to keep of an image (interpretation `image-after-load`), as far as inspect shows it in a version. */
function kept(engine: Engine, inspected: Exchange): Readonly<Record<string, unknown>> {
  const { Config, Author, Comment } = isObject(inspected.json) ? inspected.json : {};
  if (engine.api === '1.20') return { Id: idOf(inspected) };
  const labels = isObject(Config) ? Config.Labels : undefined;
  return { Id: idOf(inspected), labels, Author, Comment };
}

const otherLater = onRepeats(on('GET /images/{name}/json', setsField('Id', 'another')));

check('images.save.loads-again', { faults: [half, replaces('ec-kept', 'ec-ketp'), otherLater] }, async (context) => {
  const { engine, use } = context;
  const from = await use(keeper);
  const { name } = await makeImage({ engine, use }, { from, query: { author: 'an author', comment: 'a comment' } });
  const before = await given(inspectImage(engine, name), 200);
  const { answer } = await given(save(engine, name), 200);
  await given(engine.delete(`/images/${name}`), 200);
  await given(inspectImage(engine, name), 404);
  const headers = { 'content-type': 'application/x-tar' };
  expect(await engine.post('/images/load', { body: answer.body, headers })).toHaveStatus(200);
  const after = await inspectImage(engine, name);
  expect(after).toHaveStatus(200);
  expectValue('a file of the image', await fileIn(engine, name, '/ec-kept'), [after]).toBe('bytes');
  const [was, is] = [kept(engine, before), kept(engine, after)];
  expectValue('what inspect shows', is, [before, after], { level: 'should' }).toBe(was);
});

check('images.save-several.names-one', { faults: [doesInstead('%3Aec', ''), ...notOfOne] }, async ({ engine, use }) => {
  const [one] = await use(twoTags);
  const answer = await given(saveSeveral(engine, [one.name]), 200);
  expectValue('the names in repositories', await names(answer), [answer]).toBe([one.name]);
  await expectFiles(answer, ofOne);
});

check(
  'images.save-several.names-id',
  { faults: [missingImage, findsNoWholeId, addsEmptyEntry('repositories'), ...notOfOne] },
  async ({ engine, use }) => {
    const [{ id }] = await use(twoTags);
    const answer = await saveSeveral(engine, [wholeId(engine, id)]);
    expect(answer).toHaveStatus(200);
    await expectNoNames(answer);
    await expectFiles(answer, ofOne);
  },
);

check(
  'images.save-several.names-repeated',
  {
    faults: [
      {
        name: 'takes the first of names',
        request: (request) => ({ ...request, path: request.path.split('&')[0] ?? '' }),
      },
      dropsLayersWith(ofKeeper),
    ],
  },
  async ({ engine, use }) => {
    const [one, other] = await use(twoTags);
    const answer = await given(saveSeveral(engine, [one.name, other]), 200);
    expectValue('the names in repositories', await names(answer), [answer]).toBe([one.name, other].sort());
    await expectFiles(answer, ofBoth);
  },
);
