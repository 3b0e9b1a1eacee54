import { check } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { readTar } from '../../../harness/engine/tar.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { answersBody, answersStatus, dropsHeader, setsHeader, unlessQuery } from '../../../harness/faults/answers.ts';
import { dropsTarEntry } from '../../../harness/faults/archives.ts';
import { takesQueryAs } from '../../../harness/faults/requests.ts';
import { changesStream } from '../../../harness/faults/streams.ts';
import { idle } from '../../support/common-containers.ts';
import { doneOnce } from '../../support/done-once.ts';
import { filesIn, linked, linkTarget, placed, placedDirectory, placedFile } from '../support/archives.ts';

function get(engine: Engine, container: string, path: string): Promise<Exchange> {
  return engine.get(`/containers/${container}/archive`, { path });
}

const path = `/${placedFile.name}`;
const directory = `/${placedDirectory.name}`;

const ofFile = doneOnce('the archive of a file of the suite', async ({ engine, use }) =>
  get(engine, (await use(placed)).id, path),
);

for (const [name, refused, status] of [
  ['missing-path-404', '/ec-missing', 404],
  ['path-empty-400', '', 400],
  ['slash-on-file-400', `${path}/`, 400],
  ['slash-dot-on-file-400', `${path}/.`, 400],
] as const) {
  check(
    `containers.archive-get.${name}`,
    { faults: [takesQueryAs('path', path), answersStatus(500, status)] },
    async (context) => {
      const { engine, use } = context;
      await control(ofFile(context), 200);
      expect(await get(engine, (await use(placed)).id, refused)).toHaveStatus(status);
    },
  );
}

check(
  'containers.archive-get.bad-path-json',
  { faults: [...['path is empty', ''].map(answersBody), unlessQuery('path', '', answersBody('is a file'))] },
  async (context) => {
    const { engine, use } = context;
    await control(ofFile(context), 200);
    const { id } = await use(placed);
    // "JSON body" states no shape. Other rules say which paths are answered with 400.
    expect(await given(get(engine, id, ''), 400))
      .json()
      .toBeThere();
    const onFile = await get(engine, id, `${path}/`);
    if (onFile.status === 400) expect(onFile).json().toBeThere();
  },
);

check(
  'containers.archive-get.media-type',
  { faults: [dropsHeader('Content-Type'), setsHeader('Content-Type', 'application/octet-stream')] },
  async (context) => {
    expect(await given(ofFile(context), 200)).toHaveMediaType('application/x-tar');
  },
);

check(
  'containers.archive-get.body-tar',
  { faults: [dropsTarEntry(placedFile.name), changesStream('sends nothing', () => Buffer.alloc(0))] },
  async (context) => {
    const answer = await given(ofFile(context), 200);
    const files = await filesIn(answer);
    expectValue('the files of the archive', files, [answer]).toBe({ [placedFile.name]: placedFile.content });
  },
);

const { name, inner, content } = placedDirectory;

check(
  'containers.archive-get.directory-slash',
  { faults: [answersStatus(400, 200), dropsTarEntry(`${name}/${inner}`)] },
  async ({ engine, use }) => {
    const answer = await get(engine, (await use(placed)).id, `${directory}/`);
    expect(answer).toHaveStatus(200);
    const contents = Object.values(await filesIn(answer));
    expectValue('the contents of the files of the archive', contents, [answer]).toBe([content]);
  },
);

check(
  'containers.archive-get.directory-contents',
  { faults: [answersStatus(400, 200), takesQueryAs('path', directory)] },
  async ({ engine, use }) => {
    const answer = await get(engine, (await use(placed)).id, `${directory}/.`);
    expect(answer).toHaveStatus(200);
    const files = await filesIn(answer);
    expectValue('the files of the archive', files, [answer]).toBe({ [inner]: content });
  },
);

check(
  'containers.archive-get.symlink',
  { faults: [takesQueryAs('path', '/etc/passwd'), answersStatus(404, 200)] },
  async ({ engine, use }) => {
    const answer = await get(engine, (await use(linked)).id, '/ec-link');
    expect(answer).toHaveStatus(200);
    const entries = (await readTar(answer.answer.body)).filter(({ type }) => type !== 'directory');
    const files = entries.map(({ type, content }) => [type, content.toString('utf8')]);
    expectValue('the entries of the archive', files, [answer]).toBe([['file', linkTarget]]);
  },
);

for (const [pseudo, file] of [
  ['proc', '/proc/version'],
  ['sys', '/sys/kernel/uevent_seqnum'],
  ['dev', '/dev/null'],
] as const) {
  check(
    `containers.archive-get.pseudo-path-${pseudo}`,
    { faults: [takesQueryAs('path', '/etc/passwd')] },
    async ({ engine, use }) => {
      const { id } = await use(idle);
      await control(get(engine, id, '/etc/passwd'), 200);
      const answer = await get(engine, id, file);
      // A daemon may refuse the path or leave the file out: neither copies it.
      const entries = answer.status === 200 ? await readTar(answer.answer.body) : [];
      const copied = entries.filter(({ type }) => type !== 'directory').map((entry) => entry.name);
      expectValue(`what is copied of ${file}`, copied, [answer]).toBe([]);
    },
  );
}
