import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { createBody } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given, settled } from '../../harness/engine/given.ts';
import { readTar } from '../../harness/engine/tar.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { type Fault, on } from '../../harness/faults/fault.ts';
import { chunkByChunk } from '../../harness/faults/requests.ts';
import { type Cuts, cuts, placesIn, wideTexts } from '../../harness/generators/cuts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import {
  buildMs,
  contextOf,
  contextWith,
  expectLabel,
  file,
  fileOf,
  tarHeaders as headers,
  own,
} from '../build/support/building.ts';
import { fileIn, inspectImage, newName } from '../images/support/committed-images.ts';

/** What the bodies of all requests contain, and where they are cut into chunks. */
interface Sent {
  readonly text: string;
  readonly cuts: Cuts;
}

const broken: Fault = chunkByChunk('reads each chunk as a text of its own', (chunk) =>
  Buffer.from(chunk.toString('utf8')),
);
const firstOnly: Fault = chunkByChunk('reads the first chunk only', (chunk, place) =>
  place === 0 ? chunk : Buffer.alloc(0),
);

check(
  'generated.streams.request-chunks',
  {
    faults: [
      on('POST /containers/create', broken),
      on('POST /containers/create', firstOnly),
      on('PUT /containers/{id}/archive', broken),
      on('PUT /containers/{id}/archive', firstOnly),
      on('POST /images/create', firstOnly),
      on('POST /images/load', firstOnly),
      on('POST /build', firstOnly),
    ],
  },
  (context) =>
    forAll(context, fc.record({ text: wideTexts, cuts }), { runs: 1 }, async (sent, trial) => {
      const container = await creates(trial, sent);
      if (container) await puts(trial, sent, container);
      const name = await imports(trial, sent);
      if (name !== undefined) await loads(trial, sent, name);
      await builds(trial, sent);
    }),
);

async function creates(trial: Trial, { text, cuts }: Sent): Promise<Container | undefined> {
  const { engine } = trial;
  const name = engine.name('container');
  const body = Buffer.from(JSON.stringify(createBody(engine, { config: { Labels: { ectext: text } } })));
  const places = placesIn(body, cuts, text);
  trial.step(`creates a container with the label ectext=${text}, ${cutAt(places)}`);
  const created = await engine.post('/containers/create', {
    query: { name },
    headers: { 'content-type': 'application/json' },
    body,
    cuts: places,
  });
  await trial.decides('containers.create.answers-201', () => expect(created).toHaveStatus(201));
  if (created.status !== 201) return undefined;
  const container = new Container(engine, name, name);
  const inspect = await given(container.inspect(), 200);
  await trial.decides('containers.create.body.Labels', () => expect(inspect).field('Config.Labels.ectext').toBe(text));
  return container;
}

/** An archive of one file, with content from its name and the text, made longer than a block. */
async function archiveWith({ text }: Sent, content = `${text} ${'0123456789'.repeat(120)}`) {
  return { content, body: await contextOf(file('ec-file', content)) };
}

async function puts(trial: Trial, sent: Sent, container: Container): Promise<void> {
  const { engine } = trial;
  const { content, body } = await archiveWith(sent);
  const cuts = placesIn(body, sent.cuts, sent.text);
  trial.step(`unpacks an archive in it, ${cutAt(cuts)}`);
  const put = await engine.request('PUT', container.path('archive'), { query: { path: '/data' }, headers, body, cuts });
  await trial.decides('containers.archive-put.answers-200', () => expect(put).toHaveStatus(200));
  if (put.status !== 200) return;
  const got = await engine.get(container.path('archive'), { path: '/data/ec-file' });
  const back = got.status === 200 ? await settled(readTar(got.answer.body), 'reading the archive') : [];
  await trial.decides('containers.archive-put.unpacks', () => {
    expectValue('the file that was unpacked', back[0]?.content.toString('utf8'), [put, got]).toBe(content);
  });
}

/** @returns the name of the image, when there is one */
async function imports(trial: Trial, sent: Sent): Promise<string | undefined> {
  const { engine } = trial;
  const { name, repository } = newName(engine);
  engine.made({ kind: 'image', name: `${repository}:latest` });
  const { content, body } = await archiveWith(sent);
  const cuts = placesIn(body, sent.cuts, sent.text);
  trial.step(`imports an archive as an image, ${cutAt(cuts)}`);
  const query = { fromSrc: '-', repo: repository, tag: 'ec' };
  const imported = await engine.post('/images/create', { query, headers, body, cuts });
  await trial.decides('images.create.answers-200', () => expect(imported).toHaveStatus(200));
  // Another rule judges whether the tag is kept.
  const found = await firstOf(engine, name, `${repository}:latest`);
  await trial.decides('images.create.fromSrc-body', async () => {
    expectValue('the name of an image', found, [imported]).toBeThere();
    const back = found && (await fileIn(engine, found, '/ec-file'));
    expectValue('the file of the archive in the image', back, [imported]).toBe(content);
  });
  return found;
}

async function firstOf(engine: Engine, ...names: readonly string[]): Promise<string | undefined> {
  for (const name of names) if ((await inspectImage(engine, name)).status === 200) return name;
  return undefined;
}

/** Saves an image, removes it together with its container, and loads it again. */
async function loads(trial: Trial, { cuts, text }: Sent, name: string): Promise<void> {
  const { engine } = trial;
  const saved = await given(engine.get(`/images/${name}/get`), 200);
  await given(engine.delete(`/images/${name}`, { force: true }), 200);
  const { body } = saved.answer;
  const places = placesIn(body, cuts, text);
  trial.step(`saves the image, removes it and loads it again, ${cutAt(places)}`);
  const loaded = await engine.post('/images/load', { headers, body, cuts: places });
  await trial.decides('images.load.answers-200', () => expect(loaded).toHaveStatus(200));
  const inspect = await inspectImage(engine, name);
  await trial.decides('images.load.image-there', () => expect(inspect).toHaveStatus(200));
}

async function builds(trial: Trial, { cuts, text }: Sent): Promise<void> {
  const { engine } = trial;
  const made = own(engine);
  const body = await contextWith(engine, fileOf(engine, made, `LABEL ectext=${text}`));
  const places = placesIn(body, cuts, text);
  trial.step(`builds an image with the label ectext=${text}, ${cutAt(places)}`);
  const query = { t: made.name, nocache: true };
  const built = await engine.post('/build', { query, headers, body, cuts: places, takesMs: buildMs });
  const inspect = await inspectImage(engine, made.name);
  await trial.decides('images.build.makes-image', () => {
    expect(built).toHaveStatus(200);
    expect(inspect).toHaveStatus(200);
  });
  if (inspect.status !== 200) return;
  await trial.decides('images.build.context.Enginefile', () => expectLabel(engine, made.name, built, ['ectext', text]));
}

function cutAt(places: readonly number[]): string {
  const shown = places.length > 12 ? `${places.slice(0, 12).join(', ')}, …` : places.join(', ');
  return `its body cut at ${shown}`;
}
