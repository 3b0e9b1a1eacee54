import { check, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, changesJson } from '../../harness/faults/answers.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { knowsOnlyIdentifiers } from '../../harness/faults/requests.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { commonContainer, created, idle } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';

function changes(engine: Engine, container: string): Promise<Exchange> {
  return engine.get(`/containers/${container}/changes`);
}

/** The changes of a container that has added, modified and deleted a file. */
const writer = commonContainer('a container that has written', {
  run: ['write', '/ec-added', 'x', 'append', '/etc/passwd', 'x', 'remove', '/etc/group'],
  state: 'exited',
});

const changed = fixture('the changes of a container that has written', async ({ engine, use }) =>
  given(changes(engine, (await use(writer)).id), 200),
);

const unchanged = doneOnce('the changes of a container that was never started', async ({ engine, use }) =>
  changes(engine, (await use(created)).id),
);

checkFields(fieldRulesOf('containers.changes.field.'), changed);

check('containers.changes.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await unchanged(context)).toHaveStatus(200);
});

check('containers.changes.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(unchanged(context), 200);
  expect(await changes(engine, engine.unusedName('container'))).toHaveStatus(404);
});

check('containers.changes.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await unchanged(context)).toHaveStatus(200);
  // The one by its identifier was never started, and this one is running.
  expect(await changes(engine, (await use(idle)).name)).toHaveStatus(200);
});

check(
  'containers.changes.answers-list',
  { faults: [answersBody('{}'), changesJson('answers null', () => null)] },
  async ({ use }) => {
    expect(await use(changed))
      .json()
      .toSatisfy('a list', Array.isArray);
  },
);

check(
  'containers.changes.unchanged-list',
  { faults: [changesJson('answers null', () => null), changesJson('lists the root', () => [{ Path: '/', Kind: 0 }])] },
  async (context) => {
    expect(await given(unchanged(context), 200))
      .json()
      .toBe([]);
  },
);

for (const [name, path, kind] of [
  ['modified-0', '/etc/passwd', 0],
  ['added-1', '/ec-added', 1],
  ['deleted-2', '/etc/group', 2],
] as const) {
  const drops = changesJson(`lists no Kind ${kind}`, (items) =>
    Array.isArray(items) ? items.filter((item) => isObject(item) && item.Kind !== kind) : items,
  );
  check(`containers.changes.${name}`, { faults: [setsField('Kind', (kind + 1) % 3), drops] }, async ({ use }) => {
    const answer = await use(changed);
    const items = Array.isArray(answer.json) ? answer.json : [];
    const kinds = items.flatMap((item) => (isObject(item) && item.Path === path ? [item.Kind] : []));
    expectValue(`Kind of ${path}`, kinds, [answer]).toBe([kind]);
  });
}
