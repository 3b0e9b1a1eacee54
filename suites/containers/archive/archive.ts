import { check, fixture } from '../../../harness/check.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given, settled } from '../../../harness/engine/given.ts';
import { pathStatOf } from '../../../harness/engine/path-stat.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import {
  dropsPathStat,
  inPathStat,
  writesPathStatPlain,
  writesPathStatUrlSafe,
} from '../../../harness/faults/path-stat.ts';
import { knowsOnlyIdentifiers, takesQueryAs } from '../../../harness/faults/requests.ts';
import { created } from '../../support/common-containers.ts';
import { doneOnce } from '../../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../../support/field-checks.ts';
import { fileMember, placed, placedFile, putArchive, workingDir } from '../support/archives.ts';

/** Base64 encodes each group of three of its name with a slash, which its URL-safe form does not have. */
const slashes = fixture(
  'a container with a file whose name has slashes in base64',
  async ({ engine }) => {
    const name = 'ec-?????';
    const { id } = await makeContainer(engine);
    await given(putArchive(engine, id, { path: '/' }, [fileMember(name, '')]), 200);
    return { id, name };
  },
  { allVersions: (made) => made },
);

/** What HEAD and GET of the archive endpoints have in common (Document 2, Archive endpoints). */
for (const [endpoint, method] of [
  ['containers.archive-stat', 'HEAD'],
  ['containers.archive-get', 'GET'],
] as const) {
  const ask = (engine: Engine, container: string, query: Query): Promise<Exchange> =>
    engine.request(method, `/containers/${container}/archive`, { query });
  const path = `/${placedFile.name}`;
  const takesAnother = takesQueryAs('path', '/etc/passwd');

  const ofFile = fixture(`the answer to ${method} of a file`, async ({ engine, use }) =>
    given(ask(engine, (await use(placed)).id, { path }), 200),
  );

  const asked = doneOnce(`the answer of ${endpoint}`, async ({ engine, use }) =>
    ask(engine, (await use(created)).id, { path: '/etc/passwd' }),
  );

  check(`${endpoint}.answers-200`, { faults: [answersStatus(204, 200)] }, async (context) => {
    expect(await asked(context)).toHaveStatus(200);
  });

  check(`${endpoint}.unknown-answers-404`, { faults: [answersStatus(200, 404)] }, async (context) => {
    const { engine } = context;
    await control(asked(context), 200);
    expect(await ask(engine, engine.unusedName('container'), { path: '/etc/passwd' })).toHaveStatus(404);
  });

  check(`${endpoint}.id-or-name`, { faults: [knowsOnlyIdentifiers()] }, async (context) => {
    const { engine, use } = context;
    expect(await asked(context)).toHaveStatus(200);
    expect(await ask(engine, (await use(created)).name, { path: '/etc/passwd' })).toHaveStatus(200);
  });

  check(`${endpoint}.path-missing-refused`, { faults: [takesAnother, answersStatus(200)] }, async (context) => {
    const { engine, use } = context;
    await control(asked(context), 200);
    expect(await ask(engine, (await use(created)).id, {})).toBeRefused();
  });

  check(
    `${endpoint}.path-relative`,
    {
      faults: [
        ...[answersStatus(404, 200), inPathStat(setsField('name', 'other'))],
        takesQueryAs('path', `${workingDir}/${placedFile.name}`),
      ],
    },
    async ({ engine, use }) => {
      const answer = await ask(engine, (await use(placed)).id, { path: placedFile.name });
      expect(answer).toHaveStatus(200);
      expectValue('name of the path stat', pathStatOf(answer).name, [answer]).toBe(placedFile.name);
    },
  );

  check(
    `${endpoint}.path-stat`,
    { faults: [dropsPathStat(), writesPathStatPlain(), writesPathStatUrlSafe()] },
    async ({ engine, use }) => {
      const answer = await use(ofFile);
      expectValue('the path stat', typeof pathStatOf(answer), [answer]).toBe('object');
      const { id, name } = await use(slashes);
      const other = await given(ask(engine, id, { path: `/${name}` }), 200);
      expectValue('the name in the path stat', pathStatOf(other).name, [other]).toBe(name);
    },
  );

  const statOfFile = fixture(`the path stat that ${method} gives of a file`, async ({ use }) => {
    const answer = await use(ofFile);
    return answer.narrowedTo(await settled(Promise.resolve(answer).then(pathStatOf), 'reading the path stat'));
  });

  checkFields(fieldRulesOf(`${endpoint}.field.`), statOfFile, {}, inPathStat);
}
