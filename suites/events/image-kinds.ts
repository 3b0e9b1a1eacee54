import { type CheckContext, check, fixture } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { changesEvents, losesEvents } from '../../harness/faults/events.ts';
import { since } from '../../harness/faults/fault.ts';
import { archive } from '../../harness/probe/archive.ts';
import { type JsonValue, writeJson } from '../../harness/streams/json.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { givenPushed, loadTagged, publish, pull, push, withRegistry } from '../registry/support/published-images.ts';
import { attributesOf, type Event, kindOf, withoutPrefix } from './support/event.ts';
import { imageIds, newRepository, removedImage } from './support/event-images.ts';
import { labelledImage } from './support/labelled-things.ts';
import { listen } from './support/listen.ts';
import type { Listener } from './support/listener.ts';

type ImageKind = 'delete' | 'import' | 'pull' | 'push' | 'tag' | 'untag';

interface Told {
  readonly listener: Listener;
  /** The events of the image have one of them. */
  readonly texts: readonly string[];
}

/** Whether one of the texts occurs in an event, identifiers with or without their prefix. */
function isNamedIn(event: Event, texts: readonly string[]): boolean {
  const text = writeJson({ ...event });
  return texts.some((one) => text.includes(withoutPrefix(one)));
}

function checkKind(kind: ImageKind, toldIn: (context: CheckContext) => Promise<Told>): void {
  check(`events.kind.image.${kind}`, { faults: [losesEvents('image', kind)] }, async (context) => {
    const { listener, texts } = await toldIn(context);
    const own = (event: Event) => isNamedIn(event, texts);
    await listener.hearsInTime((event) => kindOf(event) === kind && own(event));
    const kinds = [...new Set(listener.events.filter(own).map(kindOf))];
    expectValue('the kinds of events of the image', kinds, [listener.live]).toContain(kind);
  });
}

for (const kind of ['delete', 'untag'] as const) {
  checkKind(kind, async ({ use }) => {
    const { listener, image } = await use(removedImage);
    return { listener, texts: [image.name, ...image.ids] };
  });
}

checkKind('tag', async ({ use }) => {
  const { listener, image, repo } = await use(labelledImage);
  return { listener, texts: [repo, ...image.ids] };
});

const imported = fixture(
  'the events of an import',
  async ({ engine }): Promise<Told & { readonly ids: readonly string[] }> => {
    const listener = await listen(engine);
    const repo = newRepository(engine);
    // Its content makes the image unique.
    const body = await archive([{ name: 'ec-file', mode: 0o644, content: Buffer.from(repo) }], new Date(0));
    const headers = { 'content-type': 'application/x-tar' };
    const query = { fromSrc: '-', repo, tag: 'ec' };
    await given(engine.post('/images/create', { query, headers, body }), 200);
    const ids = await imageIds(engine, `${repo}:ec`);
    return { listener, texts: [repo, ...ids], ids };
  },
);

checkKind('import', ({ use }) => use(imported));

/** The kinds that have the identifier of the image; pull has its reference, and so may push, which goes by a name, too. */
const kindsWithIdentifier = ['delete', 'import', 'tag', 'untag'];
const isOfImage = (event: Event) => kindsWithIdentifier.includes(kindOf(event));
const inIds = (name: string, id: (event: Event) => JsonValue) =>
  changesEvents(name, (event) => (isOfImage(event) ? { ...event, id: id(event) } : event));

check(
  'events.id-of-image',
  {
    faults: [
      inIds('has more than the identifier of an image in id', ({ id }) => `image ${String(id)}`),
      // Before 1.23 nothing else identifies the image.
      since(
        '1.23',
        inIds('has the name of an image in id', (event) => attributesOf(event).name ?? 'other:ec'),
      ),
    ],
  },
  async ({ use }) => {
    const { listener: first, image } = await use(removedImage);
    const { listener: second, image: tagged, repo } = await use(labelledImage);
    const { listener: third, texts, ids } = await use(imported);
    let count = 0;
    for (const [listener, names, wanted] of [
      [first, [image.name, ...image.ids], image.ids],
      [second, [repo, ...tagged.ids], tagged.ids],
      [third, texts, ids],
    ] as const) {
      // Where an import gives another name, what it made is not known.
      if (wanted.length === 0) continue;
      const own = (event: Event) => isOfImage(event) && isNamedIn(event, names);
      await listener.hearsInTime(own);
      for (const event of listener.events.filter(own)) {
        count += 1;
        const id = withoutPrefix(String(event.id));
        expectValue(`id of ${kindOf(event)}`, id, [listener.live]).toBeOneOf(...wanted.map(withoutPrefix));
      }
    }
    if (count === 0) throw new Blocked('no event of the images was told');
  },
);

/** A pull, with the events that name the repository. */
const pulled = fixture('the events of a pull', async ({ engine }) => {
  const listener = await listen(engine);
  let name = '';
  let digest = '';
  await withRegistry(engine, {}, async (repository) => {
    name = repository.name;
    digest = (await publish(engine, repository, 'one')).manifest.digest;
    await given(pull(engine, { fromImage: name, tag: 'one' }), 200);
  });
  const own = (event: Event) => writeJson({ ...event }).includes(name);
  await listener.hearsInTime((event) => kindOf(event) === 'pull' && own(event));
  return { name, digest, listener, events: listener.events.filter(own) };
});

check('events.kind.image.pull', { faults: [losesEvents('image', 'pull')] }, async ({ use }) => {
  const { events, listener } = await use(pulled);
  expectValue('the kinds of events of the image', [...new Set(events.map(kindOf))], [listener.live]).toContain('pull');
});

const aboutPulls = (name: string, id: (id: string) => string) =>
  changesEvents(name, (event) => (kindOf(event) === 'pull' ? { ...event, id: id(String(event.id)) } : event));

check(
  'events.id-of-pull',
  {
    faults: [
      // Before 1.23 nothing else identifies the pull, so its kind would be missing.
      since(
        '1.23',
        aboutPulls('has a digest as the id of a pull', () => `sha256:${'0'.repeat(64)}`),
      ),
      aboutPulls('has no tag in the id of a pull', (id) => id.replace(/:one$/, '')),
    ],
  },
  async ({ use }) => {
    const { name, digest, events, listener } = await use(pulled);
    const pulls = events.filter((event) => kindOf(event) === 'pull');
    if (pulls.length === 0) throw new Blocked('the pull was not told');
    for (const { id } of pulls) {
      const whole = [`${name}:one`, `${name}@${digest}`];
      expectValue('id of pull', id, [listener.live]).toBeOneOf(name, ...whole);
      // A name without the requested tag is not a full reference to the image.
      expectValue('id of pull', id, [listener.live], { level: 'should' }).toBeOneOf(...whole);
    }
  },
);

checkKind('push', async ({ engine }) => {
  const listener = await listen(engine);
  let name = '';
  await withRegistry(engine, {}, async (repository) => {
    name = repository.name;
    await loadTagged(engine, repository, 'one');
    await given(push(engine, name, { tag: 'one' }), 200);
    givenPushed(repository, 'one');
  });
  return { listener, texts: [name] };
});
