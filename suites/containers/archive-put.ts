import { gzipSync } from 'node:zlib';
import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import type { Query } from '../../harness/engine/query.ts';
import { readTar } from '../../harness/engine/tar.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, unlessQuery } from '../../harness/faults/answers.ts';
import {
  ignoresQuery,
  knowsOnly,
  knowsOnlyIdentifiers,
  swallows,
  takesQueryAs,
} from '../../harness/faults/requests.ts';
import { type ArchiveMember, archive } from '../../harness/probe/archive.ts';
import { no, yes } from '../spellings.ts';
import { directoryMember, fileMember, putArchive, workingDir } from './placed.ts';

const file = fileMember('ec-file', 'some bytes');

function put(engine: Engine, container: string, path: string, query: Query = {}): Promise<Exchange> {
  return putArchive(engine, container, { path, ...query }, [file]);
}

check('containers.archive-put.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  expect(await put(engine, (await makeContainer(engine)).id, '/data')).toHaveStatus(200);
});

check('containers.archive-put.empty-body', { faults: [answersBody('{}')] }, async ({ engine }) => {
  expect(await given(put(engine, (await makeContainer(engine)).id, '/data'), 200)).toBeEmptyBody();
});

check('containers.archive-put.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async ({ engine }) => {
  await control(put(engine, (await makeContainer(engine)).id, '/data'), 200);
  expect(await put(engine, engine.name('container'), '/data')).toHaveStatus(404);
});

check('containers.archive-put.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async ({ engine }) => {
  const { id, name } = await makeContainer(engine);
  for (const form of [id, name]) expect(await put(engine, form, '/data')).toHaveStatus(200);
});

check('containers.archive-put.body-media-type', { faults: [answersStatus(415)] }, async ({ engine }) => {
  // `put` sends Content-Type: application/x-tar.
  expect(await put(engine, (await makeContainer(engine)).id, '/data')).toHaveStatus(200);
});

for (const [name, path] of [
  ['unpacks', '/data'],
  ['path-relative', 'data'],
] as const) {
  check(
    `containers.archive-put.${name}`,
    { faults: [swallows(200), takesQueryAs('path', '/work'), takesQueryAs('path', `${workingDir}/data`)] },
    async ({ engine }) => {
      const { id } = await makeContainer(engine, { config: { WorkingDir: workingDir } });
      const answer = await put(engine, id, path);
      expect(answer).toHaveStatus(200);
      const back = await engine.get(`/containers/${id}/archive`, { path: '/data/ec-file' });
      expectValue('the file that was unpacked', await contentOf(back), [answer, back]).toBe('some bytes');
    },
  );
}

/** The content of the one file in an answer of GET archive; undefined when there is none. */
async function contentOf(answer: Exchange): Promise<string | undefined> {
  if (answer.status === 404) return undefined;
  const { answer: whole } = await given(Promise.resolve(answer), 200);
  const entries = await settled(readTar(whole.body), 'reading the archive');
  return entries.find(({ type }) => type === 'file')?.content.toString('utf8');
}

for (const [name, path, status] of [
  ['missing-path-404', '/ec-missing', 404],
  ['path-empty-400', '', 400],
  ['path-file-400', '/etc/passwd', 400],
] as const) {
  check(
    `containers.archive-put.${name}`,
    { faults: [takesQueryAs('path', '/data'), answersStatus(500, status)] },
    async ({ engine }) => {
      const { id } = await makeContainer(engine);
      await control(put(engine, id, '/data'), 200);
      expect(await put(engine, id, path)).toHaveStatus(status);
    },
  );
}

check(
  'containers.archive-put.path-missing-refused',
  { faults: [takesQueryAs('path', '/data'), answersStatus(200)] },
  async ({ engine }) => {
    const { id } = await makeContainer(engine);
    await control(put(engine, id, '/data'), 200);
    expect(await putArchive(engine, id, {}, [file])).toBeRefused();
  },
);

check(
  'containers.archive-put.bad-path-json',
  { faults: [...['path is empty', ''].map(answersBody), unlessQuery('path', '', answersBody('is a file'))] },
  async ({ engine }) => {
    const { id } = await makeContainer(engine);
    await control(put(engine, id, '/data'), 200);
    // "JSON body" states no shape. Which paths are answered with 400 is for the rules that say so.
    expect(await given(put(engine, id, ''), 400))
      .json()
      .toBeThere();
    const onFile = await put(engine, id, '/etc/passwd');
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

/** Unpacks archives over others in one container, each in a place of its own. */
async function replacer(engine: Engine) {
  const { id } = await makeContainer(engine);
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
      const replace = await replacer(engine);
      // What replaces its own kind is no overwriting.
      await control(replace('ec-control', before, before, strict), 200);
      expect(await replace('ec-place', before, after, strict)).toHaveStatus(400);
    },
  );
}

check('containers.archive-put.noOverwriteDirNonDir-default', { faults: [] }, async ({ engine }) => {
  const { directory, file: ofFile } = replacements;
  const replace = await replacer(engine);
  const one = await replace('ec-directory', directory.before, directory.after, {});
  const other = await replace('ec-file', ofFile.before, ofFile.after, {});
  const said = (answer: Exchange) => (answer.status === 200 ? 'is replaced' : `answers ${answer.status}`);
  observe(`a directory in the way ${said(one)}, a file in the way ${said(other)}`, one, other);
});

check(
  'containers.archive-put.noOverwriteDirNonDir-spellings',
  { faults: [knowsOnly('noOverwriteDirNonDir', '1'), takesQueryAs('noOverwriteDirNonDir', '1')] },
  async ({ engine }) => {
    const { before, after } = replacements.directory;
    const replace = await replacer(engine);
    for (const noOverwriteDirNonDir of yes) {
      expect(await replace(`ec-${noOverwriteDirNonDir}`, before, after, { noOverwriteDirNonDir })).toBeRefused();
    }
    for (const noOverwriteDirNonDir of no) {
      expect(await replace(`ec-${noOverwriteDirNonDir}`, before, after, { noOverwriteDirNonDir })).toHaveStatus(200);
    }
  },
);

check('containers.archive-put.read-only-volume-403', { faults: [answersStatus(200, 403)] }, async ({ engine }) => {
  const owner = await makeContainer(engine, { config: { Volumes: { '/ec-volume': {} } } });
  const sharing = (mode: string) => makeContainer(engine, { hostConfig: { VolumesFrom: [`${owner.name}:${mode}`] } });
  await control(put(engine, (await sharing('rw')).id, '/ec-volume'), 200);
  expect(await put(engine, (await sharing('ro')).id, '/ec-volume')).toHaveStatus(403);
});

check('containers.archive-put.read-only-rootfs-403', { faults: [answersStatus(200, 403)] }, async ({ engine }) => {
  await control(put(engine, (await makeContainer(engine)).id, '/data'), 200);
  const { id } = await makeContainer(engine, { hostConfig: { ReadonlyRootfs: true } });
  expect(await put(engine, id, '/data')).toHaveStatus(403);
});

check('containers.archive-put.compressed-archive', { faults: [] }, async ({ engine }) => {
  const { id } = await makeContainer(engine);
  const headers = { 'content-type': 'application/x-tar' };
  const body = gzipSync(await archive([file], new Date('2024-01-01T00:00:00Z')));
  const answer = await engine.request('PUT', `/containers/${id}/archive`, { query: { path: '/data' }, headers, body });
  const back = await engine.request('HEAD', `/containers/${id}/archive`, { query: { path: '/data/ec-file' } });
  observe(`answers ${answer.status} and ${back.status === 200 ? 'unpacks it' : 'does not unpack it'}`, answer, back);
});

check('containers.archive-put.bad-archive', { faults: [] }, async ({ engine }) => {
  const { id } = await makeContainer(engine);
  const headers = { 'content-type': 'application/x-tar' };
  const body = 'this is no archive '.repeat(100);
  const answer = await engine.request('PUT', `/containers/${id}/archive`, { query: { path: '/data' }, headers, body });
  observe(`answers ${answer.status}`, answer);
});
