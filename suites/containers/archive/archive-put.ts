import { gzipSync } from 'node:zlib';
import { type CheckContext, check } from '../../../harness/check.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given, settled } from '../../../harness/engine/given.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { readTar } from '../../../harness/engine/tar.ts';
import { expect, expectValue, observe } from '../../../harness/expect/expect.ts';
import { answersBody, answersStatus, unlessQuery } from '../../../harness/faults/answers.ts';
import { dropsTarEntry } from '../../../harness/faults/archives.ts';
import { on } from '../../../harness/faults/fault.ts';
import {
  ignoresQuery,
  knowsOnly,
  knowsOnlyIdentifiers,
  swallows,
  takesQueryAs,
} from '../../../harness/faults/requests.ts';
import { type ArchiveMember, archive } from '../../../harness/probe/archive.ts';
import { doneOnce } from '../../support/done-once.ts';
import { no, yes } from '../../support/spellings.ts';
import { directoryMember, fileMember, filesIn, putArchive, unpackedIn, workingDir } from '../support/archives.ts';

type Checked = Pick<CheckContext, 'engine' | 'rule' | 'api'>;

/** A name in the shared container that no other check uses. */
function ownName({ rule, api }: Checked, name: string): string {
  return `${rule.id}-${api}-${name}`;
}

function ownFile(context: Checked): ArchiveMember {
  return fileMember(ownName(context, 'file'), 'some bytes');
}

function put(context: Checked, container: string, path: string): Promise<Exchange> {
  return putArchive(context.engine, container, { path }, [ownFile(context)]);
}

const unpacked = doneOnce('the answer to an archive', async ({ engine, use, api }) =>
  putArchive(engine, (await use(unpackedIn)).id, { path: '/data' }, [fileMember(`ec-file-${api}`, 'some bytes')]),
);

check('containers.archive-put.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await unpacked(context)).toHaveStatus(200);
});

check('containers.archive-put.empty-body', { faults: [answersBody('{}')] }, async (context) => {
  expect(await given(unpacked(context), 200)).toBeEmptyBody();
});

check('containers.archive-put.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  await control(unpacked(context), 200);
  expect(await put(context, context.engine.unusedName('container'), '/data')).toHaveStatus(404);
});

check('containers.archive-put.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  expect(await unpacked(context)).toHaveStatus(200);
  expect(await put(context, (await context.use(unpackedIn)).name, '/data')).toHaveStatus(200);
});

check('containers.archive-put.body-media-type', { faults: [answersStatus(415)] }, async (context) => {
  // `putArchive` sends Content-Type: application/x-tar.
  expect(await unpacked(context)).toHaveStatus(200);
});

check(
  'containers.archive-put.path-relative',
  { faults: [swallows(200), takesQueryAs('path', '/work'), takesQueryAs('path', `${workingDir}/data`)] },
  async (context) => {
    const { engine } = context;
    const { id } = await context.use(unpackedIn);
    const answer = await put(context, id, 'data');
    expect(answer).toHaveStatus(200);
    const back = await engine.get(`/containers/${id}/archive`, { path: `/data/${ownName(context, 'file')}` });
    expectValue('the file that was unpacked', await contentOf(back), [answer, back]).toBe('some bytes');
  },
);

/** Files of the image: one that an archive replaces, and another in the same directory. */
const [replaced, kept] = ['/etc/group', '/etc/passwd'] as const;

check(
  'containers.archive-put.unpacks',
  {
    faults: [
      ...[swallows(200), takesQueryAs('path', '/work')],
      on('GET /containers/{id}/archive', dropsTarEntry(kept.slice(1))),
    ],
  },
  async ({ engine, use }) => {
    const { id } = await use(unpackedIn);
    const members = [directoryMember('etc'), fileMember(replaced.slice(1), 'some bytes')];
    const answer = await putArchive(engine, id, { path: '/' }, members);
    expect(answer).toHaveStatus(200);
    const back = await given(engine.get(`/containers/${id}/archive`, { path: '/etc' }), 200);
    const files = Object.entries(await filesIn(back));
    const [file] = files.filter(([name]) => /(?:^|\/)group$/.test(name));
    expectValue(`the content of ${replaced}, which was in the archive`, file?.[1], [answer, back]).toBe('some bytes');
    const others = files.filter(([name]) => /(?:^|\/)passwd$/.test(name));
    expectValue(`how often ${kept}, which was not, is in its directory`, others.length, [answer, back]).toBe(1);
  },
);

/** The content of the one file in an answer of GET archive; undefined when there is none. */
async function contentOf(answer: Exchange): Promise<string | undefined> {
  if (answer.status === 404) return undefined;
  const { answer: whole } = await given(Promise.resolve(answer), 200);
  const entries = await settled(readTar(whole.body), 'reading the archive');
  return entries.find(({ type }) => type === 'file')?.content.toString('utf8');
}

for (const [name, pathOf, status] of [
  ['missing-path-404', (context) => `/data/${ownName(context, 'missing')}`, 404],
  ['path-empty-400', () => '', 400],
  ['path-file-400', () => '/etc/passwd', 400],
] as const satisfies readonly (readonly [string, (context: Checked) => string, number])[]) {
  check(
    `containers.archive-put.${name}`,
    { faults: [takesQueryAs('path', '/data'), answersStatus(500, status)] },
    async (context) => {
      await control(unpacked(context), 200);
      expect(await put(context, (await context.use(unpackedIn)).id, pathOf(context))).toHaveStatus(status);
    },
  );
}

check(
  'containers.archive-put.path-missing-refused',
  { faults: [takesQueryAs('path', '/data'), answersStatus(200)] },
  async (context) => {
    await control(unpacked(context), 200);
    const { id } = await context.use(unpackedIn);
    expect(await putArchive(context.engine, id, {}, [ownFile(context)])).toBeRefused();
  },
);

check(
  'containers.archive-put.bad-path-json',
  { faults: [...['path is empty', ''].map(answersBody), unlessQuery('path', '', answersBody('is a file'))] },
  async (context) => {
    await control(unpacked(context), 200);
    const { id } = await context.use(unpackedIn);
    // "JSON body" states no shape. Other rules say which paths are answered with 400.
    expect(await given(put(context, id, ''), 400))
      .json()
      .toBeThere();
    const onFile = await put(context, id, '/etc/passwd');
    if (onFile.status === 400) expect(onFile).json().toBeThere();
  },
);

type MemberOf = (name: string) => ArchiveMember;

const aDirectory: MemberOf = directoryMember;
const aFile: MemberOf = (name) => fileMember(name, 'a file');

/** Archives for /data that would replace something: a directory by a file, and a file by a directory. */
const replacements = {
  directory: { before: aDirectory, after: aFile },
  file: { before: aFile, after: aDirectory },
} as const;

/** Unpacks archives over others, each in its own directory. */
function replacer(engine: Engine, id: string) {
  return async (place: string, before: MemberOf, after: MemberOf, query: Query): Promise<Exchange> => {
    await given(putArchive(engine, id, { path: '/data' }, [before(place)]), 200);
    return putArchive(engine, id, { path: '/data', ...query }, [after(place)]);
  };
}

const strict = { noOverwriteDirNonDir: true } as const;

for (const name of ['directory', 'file'] as const) {
  const { before, after } = replacements[name];
  check(
    `containers.archive-put.noOverwriteDirNonDir-${name}`,
    { faults: [ignoresQuery('noOverwriteDirNonDir'), answersStatus(500, 400)] },
    async ({ engine }) => {
      // A container of its own, with fixed paths in it: engines name the path, and a deviation must read the same in
      // every version.
      const replace = replacer(engine, (await makeContainer(engine)).id);
      // Replacing a file by a file, or a directory by a directory, is not overwriting.
      await control(replace('ec-control', before, before, strict), 200);
      expect(await replace('ec-place', before, after, strict)).toHaveStatus(400);
    },
  );
}

check('containers.archive-put.noOverwriteDirNonDir-default', { faults: [] }, async (context) => {
  const { directory, file: ofFile } = replacements;
  const replace = replacer(context.engine, (await context.use(unpackedIn)).id);
  const one = await replace(ownName(context, 'directory'), directory.before, directory.after, {});
  const other = await replace(ownName(context, 'file'), ofFile.before, ofFile.after, {});
  const said = (answer: Exchange) => (answer.status === 200 ? 'is replaced' : `answers ${answer.status}`);
  observe(`a directory in the way ${said(one)}, a file in the way ${said(other)}`, one, other);
});

check(
  'containers.archive-put.noOverwriteDirNonDir-spellings',
  { faults: [knowsOnly('noOverwriteDirNonDir', '1'), takesQueryAs('noOverwriteDirNonDir', '1')] },
  async (context) => {
    const { before, after } = replacements.directory;
    const replace = replacer(context.engine, (await context.use(unpackedIn)).id);
    for (const noOverwriteDirNonDir of yes) {
      expect(
        await replace(ownName(context, noOverwriteDirNonDir), before, after, { noOverwriteDirNonDir }),
      ).toBeRefused();
    }
    for (const noOverwriteDirNonDir of no) {
      expect(
        await replace(ownName(context, noOverwriteDirNonDir), before, after, { noOverwriteDirNonDir }),
      ).toHaveStatus(200);
    }
  },
);

check('containers.archive-put.read-only-volume-403', { faults: [answersStatus(200, 403)] }, async (context) => {
  const { engine } = context;
  const owner = await makeContainer(engine, { config: { Volumes: { '/ec-volume': {} } } });
  const sharing = (mode: string) => makeContainer(engine, { hostConfig: { VolumesFrom: [`${owner.name}:${mode}`] } });
  await control(put(context, (await sharing('rw')).id, '/ec-volume'), 200);
  expect(await put(context, (await sharing('ro')).id, '/ec-volume')).toHaveStatus(403);
});

check('containers.archive-put.read-only-rootfs-403', { faults: [answersStatus(200, 403)] }, async (context) => {
  await control(unpacked(context), 200);
  const { id } = await makeContainer(context.engine, { hostConfig: { ReadonlyRootfs: true } });
  expect(await put(context, id, '/data')).toHaveStatus(403);
});

check('containers.archive-put.compressed-archive', { faults: [] }, async (context) => {
  const { engine } = context;
  const { id } = await context.use(unpackedIn);
  const headers = { 'content-type': 'application/x-tar' };
  const member = ownFile(context);
  const body = gzipSync(await archive([member], new Date('2024-01-01T00:00:00Z')));
  const answer = await engine.request('PUT', `/containers/${id}/archive`, { query: { path: '/data' }, headers, body });
  const back = await engine.request('HEAD', `/containers/${id}/archive`, { query: { path: `/data/${member.name}` } });
  observe(`answers ${answer.status} and ${back.status === 200 ? 'unpacks it' : 'does not unpack it'}`, answer, back);
});

check('containers.archive-put.bad-archive', { faults: [] }, async (context) => {
  const { engine } = context;
  const { id } = await context.use(unpackedIn);
  const headers = { 'content-type': 'application/x-tar' };
  const body = 'this is no archive '.repeat(100);
  const answer = await engine.request('PUT', `/containers/${id}/archive`, { query: { path: '/data' }, headers, body });
  observe(`answers ${answer.status}`, answer);
});
