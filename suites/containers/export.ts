import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import { readTar } from '../../harness/engine/tar.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { addsEmptyEntry, dropsTarEntry, emptiesTarEntry, retargetsTarLink } from '../../harness/faults/archives.ts';
import { knowsOnlyIdentifiers } from '../../harness/faults/requests.ts';
import { changesStream } from '../../harness/faults/streams.ts';
import { created, idle } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';

function exported(engine: Engine, container: string): Promise<Exchange> {
  return engine.get(`/containers/${container}/export`);
}

const plain = doneOnce('the export of a container', async ({ engine, use }) =>
  exported(engine, (await use(created)).id),
);

check('containers.export.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await plain(context)).toHaveStatus(200);
});

check('containers.export.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(plain(context), 200);
  expect(await exported(engine, engine.unusedName('container'))).toHaveStatus(404);
});

check('containers.export.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await plain(context)).toHaveStatus(200);
  // The one by its identifier was never started, and this one is running.
  expect(await exported(engine, (await use(idle)).name)).toHaveStatus(200);
});

check(
  'containers.export.media-type',
  { faults: [dropsHeader('Content-Type'), setsHeader('Content-Type', 'application/x-tar')] },
  async (context) => {
    expect(await given(plain(context), 200)).toHaveMediaType('application/octet-stream');
  },
);

check(
  'containers.export.body-tar',
  {
    faults: [
      changesStream('sends half of the archive', (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2) + 7)),
      changesStream('sends nothing', () => Buffer.alloc(0)),
    ],
  },
  async (context) => {
    const answer = await given(plain(context), 200);
    const entries = await readTar(answer.answer.body);
    expectValue(
      'the entries of the archive',
      entries.map(({ name }) => name),
      [answer],
    ).toContain('probe');
  },
);

/** A container that has written a file and a link and removed a file, and what it read from another of the image. */
const withFiles = fixture(
  'a container with a file, a link and a file of its image',
  async ({ engine }) => {
    const writes = ['write', '/ec-written', 'some bytes', 'symlink', '/ec-written', '/ec-link'];
    const run = ['read', '/etc/passwd', ...writes, 'remove', '/etc/group'];
    const container = await makeContainer(engine, { run, state: 'exited', config: { Tty: true } });
    const passwd = (await given(container.logs({ stdout: true }), 200)).text.replaceAll('\r\n', '\n');
    return { id: container.id, passwd };
  },
  { allVersions: (made) => made },
);

check(
  'containers.export.contents',
  {
    faults: [
      ...['ec-written', 'ec-link', 'etc/passwd'].map((name) => dropsTarEntry(name)),
      emptiesTarEntry('ec-written'),
      retargetsTarLink('ec-link'),
      addsEmptyEntry('etc/group'),
    ],
  },
  async ({ engine, use }) => {
    const { id, passwd } = await use(withFiles);
    const answer = await given(exported(engine, id), 200);
    const entries = await settled(readTar(answer.answer.body), 'reading the archive');
    const contents = Object.fromEntries(entries.map(({ name, content }) => [name, content.toString('utf8')]));
    const files = { 'etc/passwd': contents['etc/passwd'], 'ec-written': contents['ec-written'] };
    expectValue('files of the archive', files, [answer]).toBe({ 'etc/passwd': passwd, 'ec-written': 'some bytes' });
    expectValue('the file that the container has removed', contents['etc/group'], [answer]).toBe(undefined);
    const links = entries.filter(({ type }) => type === 'symlink').map(({ name, target }) => [name, target]);
    expectValue('the symbolic links of the archive', links, [answer]).toContain(['ec-link', '/ec-written']);
  },
);
