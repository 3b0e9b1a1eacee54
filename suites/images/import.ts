import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given } from '../../harness/engine/given.ts';
import { countObjects } from '../../harness/engine/objects.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader } from '../../harness/faults/answers.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { separatesObjects } from '../../harness/faults/objects.ts';
import { ignoresQuery, swallows } from '../../harness/faults/requests.ts';
import { textMemberIn } from '../../harness/streams/json.ts';
import { withSuiteServer } from '../../harness/suite-server/server.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { answerOf, doneOnce } from '../support/done-once.ts';
import { fileIn, inspectImage, newName } from './support/committed-images.ts';
import { wholeStream } from './support/json-stream.ts';
import { filesArchive } from './support/tarball.ts';

const headers = { 'content-type': 'application/x-tar' };

/** Imports an archive of one file under a new name of the check's own. */
async function importFiles(engine: Engine, query: Query = {}) {
  const { name, repository } = newName(engine);
  engine.made({ kind: 'image', name: `${repository}:latest` });
  const body = await filesArchive({ 'ec-imported': name });
  const sent = { fromSrc: '-', repo: repository, tag: 'ec', ...query };
  return { answer: await wholeStream(engine, '/images/create', { body, headers, query: sent }), name, repository };
}

/** Nothing in its answer is judged yet; another rule judges whether the tag is kept. */
const imported = doneOnce('an import', async ({ engine }) => {
  const { answer, name, repository } = await importFiles(engine);
  return { answer, name, found: await firstFound(engine, name, `${repository}:latest`) };
});

/** Requires that an import made an image: without one its stream means nothing. @throws Blocked */
function needsImage(found: string | undefined): void {
  if (found === undefined) throw new Blocked('the import made no image');
}

check('images.create.answers-200', { faults: [answersStatus(201, 200)] }, async (context) => {
  const { answer, found } = await imported(context);
  expect(answer).toHaveStatus(200);
  expectValue('the name of an image', found, [answer]).toBeThere();
});

check('images.create.media-type', { faults: [dropsHeader('Content-Type')] }, async (context) => {
  const done = imported(context);
  const answer = await given(answerOf(done), 200);
  needsImage((await done).found);
  expect(answer).toHaveMediaType('application/json');
});

check('images.create.objects-in-a-row', { faults: [separatesObjects(',')] }, async (context) => {
  const { answer, found } = await imported(context);
  await given(Promise.resolve(answer), 200);
  expectValue('the number of objects', countObjects(answer.answer.body), [answer]).toBeAtLeast(1);
  needsImage(found);
});

/** The first of the names that an image has. */
async function firstFound(engine: Engine, ...names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const { status, text } = await inspectImage(engine, name);
    if (status === 200 && textMemberIn(text, 'Id') !== undefined) return name;
  }
  return undefined;
}

check('images.create.fromSrc-body', { faults: [ignoresQuery('fromSrc'), swallows(200)] }, async (context) => {
  const { name, found, answer } = await imported(context);
  expectValue('the name of an image', found, [answer]).toBeThere();
  const content = found && (await fileIn(context.engine, found, '/ec-imported'));
  expectValue('the file of the archive in the image', content, [answer]).toBe(name);
});

check('images.create.fromSrc-address', { faults: [ignoresQuery('fromSrc'), swallows(200)] }, async ({ engine }) => {
  const { name, repository } = newName(engine);
  engine.made({ kind: 'image', name: `${repository}:latest` });
  const content = await filesArchive({ 'ec-imported': name });
  const answer = await withSuiteServer(engine.target.address, (server) => {
    const fromSrc = server.offer({ name: 'ec-files.tar', contentType: 'application/x-tar', content });
    return engine.post('/images/create', { query: { fromSrc, repo: repository, tag: 'ec' } });
  });
  const found = await firstFound(engine, name, `${repository}:latest`);
  expectValue('the name of an image', found, [answer]).toBeThere();
  const file = found && (await fileIn(engine, found, '/ec-imported'));
  expectValue('the file of the archive in the image', file, [answer]).toBe(name);
});

check('images.create.repo-names', { faults: [ignoresQuery('repo'), swallows(200)] }, async (context) => {
  const { found, answer } = await imported(context);
  expectValue('the name of an image', found, [answer]).toBeThere();
});

check('images.create.tag-import', { faults: [ignoresQuery('tag'), swallows(200)] }, async (context) => {
  const { name, found, answer } = await imported(context);
  expectValue('the name of an image', found === name ? found : undefined, [answer]).toBe(name);
});

const endsAtPort: Fault = {
  name: 'takes what follows the first colon of repo for the tag',
  request: (request) => ({ ...request, path: request.path.replace(/(repo=[^&]*?%3A\d+)%2F[^&]*/, '$1') }),
};

check('images.create.repo-tag', { faults: [ignoresQuery('repo'), swallows(200), endsAtPort] }, async ({ engine }) => {
  // The port of a registry is no tag.
  const name = `registry.invalid:5000/${engine.name('image')}:ec`;
  engine.made({ kind: 'image', name });
  const body = await filesArchive({ 'ec-imported': name });
  const answer = await engine.post('/images/create', { body, headers, query: { fromSrc: '-', repo: name } });
  expectValue('the name of an image', await firstFound(engine, name), [answer]).toBe(name);
});

check('images.create.fromImage-not-import', { faults: [] }, async ({ engine }) => {
  const { answer } = await importFiles(engine, { fromImage: `registry.invalid:5000/${engine.name('image')}` });
  observe(`answers ${answer.status} to fromImage beside fromSrc and repo`, answer);
});
