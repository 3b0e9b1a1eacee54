import { gzipSync } from 'node:zlib';
import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given, settled } from '../../harness/engine/given.ts';
import type { Query } from '../../harness/engine/query.ts';
import { readTar } from '../../harness/engine/tar.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import { readsInBody, refuses } from '../../harness/faults/bodies.ts';
import { takesQueryAs } from '../../harness/faults/requests.ts';
import { anotherTime, ifRight, ifThere } from '../support/shared-results.ts';
import {
  build,
  builds,
  contextOf,
  contextWith,
  expectFailure,
  expectImage,
  expectLabel,
  file,
  fileOf,
  hasFailed,
  isThere,
  labelledOnce,
  labelling,
  type Own,
  own,
} from './support/building.ts';
import { bzip2Context, xzContext } from './support/compressed-contexts.ts';

const gzip = Buffer.from([0x1f, 0x8b]);
const bzip2 = Buffer.from('BZh');
const xz = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);

const begins = (body: Uint8Array | undefined, magic: Buffer) =>
  magic.equals(Buffer.from(body ?? []).subarray(0, magic.length));
const isCompressed = (body: Uint8Array | undefined) => [gzip, bzip2, xz].some((magic) => begins(body, magic));

check(
  'images.build.context.Content-type',
  { faults: [refuses('application/x-tar', ({ headers }) => headers['content-type'] === 'application/x-tar')] },
  async (context) => {
    const { made, answer } = await labelledOnce(context);
    await expectImage(context.engine, made.name, answer);
  },
);

check(
  'images.build.context.identity',
  { faults: [refuses('context without compression', ({ body }) => !isCompressed(body))] },
  async (context) => {
    const { made, answer } = await labelledOnce(context);
    await expectImage(context.engine, made.name, answer);
  },
);

check(
  'images.build.context.gzip',
  { faults: [refuses('gzip', ({ body }) => begins(body, gzip))] },
  async ({ engine }) => {
    const made = own(engine);
    const answer = await build(engine, gzipSync(await contextWith(engine, fileOf(engine, made))), { t: made.name });
    await expectImage(engine, made.name, answer);
  },
);

for (const [name, magic, context] of [
  ['bzip2', bzip2, bzip2Context],
  ['xz', xz, xzContext],
] as const) {
  check(
    `images.build.context.${name}`,
    {
      faults: [refuses(name, ({ body }) => begins(body, magic))],
      // Only its name marks its image as the run's, and an engine may lose the name while others remove images.
      exclusive: true,
      notOn: ({ dialect }) =>
        ['Enginefile', 'Dockerfile'].includes(dialect.words.Enginefile)
          ? undefined
          : 'the compressed context has its build file under other names than this dialect has',
    },
    async ({ engine }) => {
      const made = own(engine);
      const answer = await build(engine, context, { t: made.name });
      await expectImage(engine, made.name, answer);
    },
  );
}

check('images.build.context.Enginefile', { faults: [takesQueryAs('dockerfile', 'ec-other')] }, async ({ engine }) => {
  const made = own(engine);
  const other = file('ec-other', fileOf(engine, made, 'LABEL ec.from=other'));
  const built = await build(engine, await contextWith(engine, fileOf(engine, made, 'LABEL ec.from=default'), other), {
    t: made.name,
  });
  await expectLabel(engine, made.name, built, ['ec.from', 'default']);
});

check(
  'images.build.context.no-build-file',
  { faults: [takesQueryAs('dockerfile', 'ec-other')] },
  async ({ engine }) => {
    const made = own(engine);
    const other = file('ec-other', fileOf(engine, made));
    await builds(engine, made, build(engine, await contextWith(engine, fileOf(engine, made), other), { t: made.name }));
    expectFailure(await build(engine, await contextOf(other), { t: own(engine).name }));
  },
);

const [before, now] = ['a first one of the context', 'another one of the context'];

const inside = 'ec-dir/ec-file';

/** Copies a file in a directory, with this content, into an image of which nothing else differs. */
async function buildCopying(engine: Engine, made: Own, content: string, query: Query = {}): Promise<Exchange> {
  const buildFile = fileOf(engine, made, `COPY ${inside} /ec-copied`);
  const answer = await build(engine, await contextWith(engine, buildFile, file(inside, content)), {
    t: made.name,
    ...query,
  });
  return answer;
}

/** The file as it is in the image. */
async function copiedIn(engine: Engine, made: Own): Promise<{ readonly got: Exchange; readonly content?: string }> {
  const container = await makeContainer(engine, { config: { Image: made.name } });
  const got = await given(engine.get(container.path('archive'), { path: '/ec-copied' }), 200);
  const [copied] = await settled(readTar(got.answer.body), 'reading the archive');
  return { got, ...(copied && { content: copied.content.toString() }) };
}

/** What the later of two builds leaves that differ in the content of one file; the first may have filled the cache. */
const builtAgain = fixture('an image built again of another context', async ({ engine }) => {
  const made = own(engine);
  await isThere(engine, made.name, await buildCopying(engine, made, before, { nocache: undefined }));
  const answer = await buildCopying(engine, made, now, { nocache: undefined });
  await isThere(engine, made.name, answer);
  return { answer, ...(await copiedIn(engine, made)) };
});

/** The other name has the same letters, which leave the checksum of its header as it is. */
const takesNoDirectories = {
  ...readsInBody(`${inside}\0`, `${inside.replace('dir', 'rid')}\0`),
  name: 'finds no file in a directory of the context',
};

// Engines that use their cache look through all their images, and no one else may remove any meanwhile.
check(
  'images.build.context.files',
  { faults: [readsInBody('one of the context', 'one of no context!'), takesNoDirectories], exclusive: true },
  async ({ engine, use }) => {
    const isCopied = ({ content }: { content?: string }) => content === now;
    const shown = ifRight(await ifThere(use(builtAgain)), isCopied, anotherTime, ({ got }) => got);
    if (shown) {
      expectValue('the copied file', shown.content, [shown.answer, shown.got]).toBe(now);
      return;
    }
    const made = own(engine);
    const answer = await buildCopying(engine, made, before);
    await expectImage(engine, made.name, answer);
    const { got, content } = await copiedIn(engine, made);
    expectValue('the copied file', content, [answer, got]).toBe(before);
  },
);

// As tar writes them for a directory.
check(
  'images.build.context.names-from-dot',
  { faults: [readsInBody('./ec-file', '/.ec-file')] },
  async ({ engine }) => {
    const made = own(engine);
    const buildFile = fileOf(engine, made, labelling(made), 'COPY ec-file /ec-copied');
    const members = [file(engine.target.dialect.words.Enginefile, buildFile), file('ec-file', before)];
    const context = await contextOf(...members.map((member) => ({ ...member, name: `./${member.name}` })));
    await expectImage(engine, made.name, await build(engine, context, { t: made.name }));
  },
);

check(
  'images.build.context.files-changed',
  { faults: [readsInBody(now, before)], exclusive: true },
  async ({ use }) => {
    const { answer, got, content } = await use(builtAgain);
    expectValue('the copied file', content, [answer, got]).toBe(now);
  },
);

/** A zstd frame with a single raw block (RFC 8878), so that no compressor is needed. */
function zstdFrame(content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  const block = Buffer.alloc(4);
  block.writeUInt32LE((content.length << 3) | 1);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size, block.subarray(0, 3), content]);
}

check('images.build.context.other-compression', { faults: [] }, async ({ engine }) => {
  const made = own(engine);
  const answer = await build(engine, zstdFrame(await contextWith(engine, fileOf(engine, made))), { t: made.name });
  observe(hasFailed(answer) ? `refuses zstd with ${answer.status}` : 'takes zstd', answer);
});
