import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { dropsTarEntry } from '../../harness/faults/archives.ts';
import { on } from '../../harness/faults/fault.ts';
import { ignoresBodyField, knowsOnlyIdentifiers, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { changesStream } from '../../harness/faults/streams.ts';
import { created, idle } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { filesIn, placed, placedFile } from './support/archives.ts';

function copy(engine: Engine, container: string, Resource: string): Promise<Exchange> {
  return engine.post(`/containers/${container}/copy`, { json: { Resource } });
}

const copied = doneOnce('the copy of a file of a container', async ({ engine, use }) =>
  copy(engine, (await use(created)).id, '/etc/passwd'),
);

check('containers.copy.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await copied(context)).toHaveStatus(200);
});

check('containers.copy.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(copied(context), 200);
  expect(await copy(engine, engine.unusedName('container'), '/etc/passwd')).toHaveStatus(404);
});

check('containers.copy.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await copied(context)).toHaveStatus(200);
  expect(await copy(engine, (await use(created)).name, '/etc/passwd')).toHaveStatus(200);
});

check(
  'containers.copy.media-type',
  { faults: [dropsHeader('Content-Type'), setsHeader('Content-Type', 'application/octet-stream')] },
  async (context) => {
    expect(await given(copied(context), 200)).toHaveMediaType('application/x-tar');
  },
);

check('containers.copy.json-media-type', { faults: [answersStatus(415)] }, async (context) => {
  // `copy` sends Content-Type: application/json.
  expect(await copied(context)).toHaveStatus(200);
});

/** The archive of a file has that file with its content. */
async function expectFile(answer: Exchange): Promise<void> {
  const files = await filesIn(answer);
  expectValue('the files of the archive', files, [answer]).toBe({ [placedFile.name]: placedFile.content });
}

check(
  'containers.copy.body-tar',
  { faults: [dropsTarEntry(placedFile.name), changesStream('sends nothing', () => Buffer.alloc(0))] },
  async ({ engine, use }) => {
    await expectFile(await given(copy(engine, (await use(placed)).id, `/${placedFile.name}`), 200));
  },
);

check(
  'containers.copy.body.Resource',
  { faults: [ignoresBodyField('Resource'), takesBodyFieldAs('Resource', '/etc/passwd')] },
  async ({ engine, use }) => {
    const answer = await copy(engine, (await use(placed)).id, `/${placedFile.name}`);
    expect(answer).toHaveStatus(200);
    await expectFile(answer);
  },
);

check('containers.copy.deprecated', { faults: [answersStatus(404, 200)] }, async (context) => {
  expect(await copied(context)).toHaveStatus(200);
});

check(
  'containers.copy.gone',
  { faults: [on('POST /containers/{id}/copy', answersStatus(200, 404))] },
  async ({ engine, use }) => {
    const { id } = await use(placed);
    await control(engine.get(`/containers/${id}/archive`, { path: `/${placedFile.name}` }), 200);
    expect(await copy(engine, id, `/${placedFile.name}`)).toHaveStatus(404);
  },
);

check('containers.copy.missing-path', { faults: [] }, async ({ engine, use }) => {
  const answer = await copy(engine, (await use(created)).id, '/ec-missing');
  observe(`answers ${answer.status}`, answer);
});

check('containers.copy.pseudo-paths', { faults: [] }, async ({ engine, use }) => {
  const container = await use(idle);
  const answers: Exchange[] = [];
  for (const path of ['/proc/version', '/sys/kernel/uevent_seqnum', '/dev/null']) {
    answers.push(await copy(engine, container.id, path));
  }
  observe(`to files under /proc, /sys and /dev, answers ${answers.map(({ status }) => status).join(', ')}`, ...answers);
});
