import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given } from '../../harness/engine/given.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { losesEvents } from '../../harness/faults/events.ts';
import { archive } from '../../harness/probe/archive.ts';
import { writeJson } from '../../harness/streams/json.ts';
import { givenPushed, loadTagged, publish, pull, push, withRegistry } from '../registry/published.ts';
import { kindOf } from './event.ts';
import { imageIds, loadImage, removeImage } from './images.ts';
import { listen } from './listener.ts';

type ImageKind = 'delete' | 'import' | 'pull' | 'push' | 'tag' | 'untag';

/** A kind of event of images comes when `operate` has brought it, with one of the texts that it gives. */
function checkKind(kind: ImageKind, operate: (engine: Engine) => Promise<readonly string[]>): void {
  check(`events.kind.image.${kind}`, { faults: [losesEvents('image', kind)] }, async ({ engine }) => {
    const listener = await listen(engine);
    const texts = (await operate(engine)).map((text) => text.replace(/^sha256:/, ''));
    const own = (event: object) => texts.some((text) => writeJson({ ...event }).includes(text));
    await listener.hearsInTime((event) => kindOf(event) === kind && own(event));
    const kinds = [...new Set(listener.events.filter(own).map(kindOf))];
    expectValue('the kinds of events of the image', kinds, [listener.live]).toContain(kind);
  });
}

for (const kind of ['delete', 'untag'] as const) {
  checkKind(kind, async (engine) => {
    const image = await loadImage(engine);
    await removeImage(engine, image);
    return [image.name, ...image.ids];
  });
}

/** A new repository for an image with the tag `ec`. */
function newRepository(engine: Engine): string {
  const repo = engine.name('image');
  engine.made({ kind: 'image', name: `${repo}:ec` });
  return repo;
}

checkKind('tag', async (engine) => {
  const image = await loadImage(engine);
  const repo = newRepository(engine);
  await given(engine.post(`/images/${image.name}/tag`, { query: { repo, tag: 'ec' } }), 201);
  return [repo, ...image.ids];
});

checkKind('import', async (engine) => {
  const repo = newRepository(engine);
  // Its content makes the image another one than every other.
  const body = await archive([{ name: 'ec-file', mode: 0o644, content: Buffer.from(repo) }], new Date(0));
  const headers = { 'content-type': 'application/x-tar' };
  const query = { fromSrc: '-', repo, tag: 'ec' };
  await given(engine.post('/images/create', { query, headers, body }), 200);
  return [repo, ...(await imageIds(engine, `${repo}:ec`))];
});

checkKind('pull', async (engine) => {
  let name = '';
  await withRegistry(engine, {}, async (repository) => {
    name = repository.name;
    await publish(engine, repository, 'one');
    await given(pull(engine, { fromImage: name, tag: 'one' }), 200);
  });
  return [name];
});

checkKind('push', async (engine) => {
  let name = '';
  await withRegistry(engine, {}, async (repository) => {
    name = repository.name;
    await loadTagged(engine, repository, 'one');
    await given(push(engine, name, { tag: 'one' }), 200);
    givenPushed(repository, 'one');
  });
  return [name];
});
