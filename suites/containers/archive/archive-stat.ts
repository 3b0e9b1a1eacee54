import { check } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { pathStatOf } from '../../../harness/engine/path-stat.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../../harness/faults/answers.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import { inPathStat } from '../../../harness/faults/path-stat.ts';
import { takesQueryAs } from '../../../harness/faults/requests.ts';
import { doneOnce } from '../../support/done-once.ts';
import { linked, linkTarget, placed, placedDirectory, placedFile } from '../support/archives.ts';

function stat(engine: Engine, container: string, path: string): Promise<Exchange> {
  return engine.request('HEAD', `/containers/${container}/archive`, { query: { path } });
}

const path = `/${placedFile.name}`;

const ofFile = doneOnce('the answer to HEAD of a file of the suite', async ({ engine, use }) =>
  stat(engine, (await use(placed)).id, path),
);

for (const [name, refused] of [
  ['missing-path-refused', '/ec-missing'],
  ['path-empty-refused', ''],
  ['slash-on-file-refused', `${path}/`],
  ['slash-dot-on-file-refused', `${path}/.`],
] as const) {
  check(
    `containers.archive-stat.${name}`,
    { faults: [takesQueryAs('path', path), answersStatus(200)] },
    async (context) => {
      const { engine, use } = context;
      await control(ofFile(context), 200);
      expect(await stat(engine, (await use(placed)).id, refused)).toBeRefused();
    },
  );
}

check('containers.archive-stat.empty-body', { faults: [answersBody('{}')] }, async (context) => {
  expect(await given(ofFile(context), 200)).toBeEmptyBody();
});

check(
  'containers.archive-stat.stat-values',
  { faults: [inPathStat(setsField('name', 'other')), inPathStat(setsField('size', 17))] },
  async (context) => {
    const answer = await given(ofFile(context), 200);
    const { name, size } = pathStatOf(answer);
    const told = { name: placedFile.name, size: placedFile.content.length };
    expectValue('name and size of the path stat', { name, size }, [answer]).toBe(told);
  },
);

check(
  'containers.archive-stat.symlink',
  { faults: [takesQueryAs('path', '/etc/passwd'), inPathStat(setsField('size', 5))] },
  async ({ engine, use }) => {
    const answer = await given(stat(engine, (await use(linked)).id, '/ec-link'), 200);
    expectValue('size of the path stat', pathStatOf(answer).size, [answer]).toBe(linkTarget.length);
  },
);

/** The members of the path stat that have a meaning (Document 1, Other container-related shapes). */
function documented(answer: Exchange): object {
  const { name, size, mode, mtime, linkTarget } = pathStatOf(answer);
  return { name, size, mode, mtime, linkTarget };
}

check(
  'containers.archive-stat.as-get',
  {
    faults: [
      inPathStat(setsField('size', 17)),
      inPathStat(setsField('mode', 0)),
      inPathStat(setsField('mtime', '2001-01-01T00:00:00Z')),
    ],
  },
  async ({ engine, use }) => {
    const { id } = await use(placed);
    const { name: directory } = placedDirectory;
    for (const asked of [path, `/${directory}`, `/${directory}/`, `/${directory}/.`, '/etc/passwd']) {
      const head = await given(stat(engine, id, asked), 200);
      const get = await given(engine.get(`/containers/${id}/archive`, { path: asked }), 200);
      expectValue(`the path stat of ${asked}`, documented(head), [get, head]).toBe(documented(get));
    }
  },
);
