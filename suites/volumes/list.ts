import { check, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, changesJson } from '../../harness/faults/answers.ts';
import { since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresFilter, ignoresQuery } from '../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { expectAlike } from '../support/list-and-inspect.ts';
import { createVolume, makeVolume, plainShown, runWith } from './support/volumes.ts';

const listed = fixture('the volume list with a volume with labels and one without', async ({ engine }) => {
  await makeVolume(engine);
  await given(createVolume(engine, engine.name('volume'), { Labels: undefined }), 201);
  return given(engine.get('/volumes'), 200);
});

checkFields(fieldRulesOf('volumes.list.field.'), listed);

function namesIn(list: Exchange): unknown[] {
  return valuesAt(list.json, 'Volumes[].Name');
}

function dangling(engine: Engine): Promise<Exchange> {
  return engine.get('/volumes', { filters: filters({ dangling: ['true'] }) });
}

/** A volume that no container has, and one that a running container has. */
const freeAndUsed = fixture('a free volume and a used one', async ({ engine }) => {
  const free = await makeVolume(engine);
  const used = await makeVolume(engine);
  await runWith(engine, used);
  return { free, used };
});

const listedDangling = fixture('the list of dangling volumes', async ({ engine, use }) => {
  const made = await use(freeAndUsed);
  return { ...made, list: await given(dangling(engine), 200) };
});

check('volumes.list.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  await makeVolume(engine);
  expect(await engine.get('/volumes')).toHaveStatus(200);
});

const listsVolumesTwice = changesJson('lists everything twice', (json) =>
  isObject(json) && Array.isArray(json.Volumes) ? { ...json, Volumes: [...json.Volumes, ...json.Volumes] } : json,
);

check(
  'volumes.list.every-volume',
  { faults: [setsField('Volumes', []), listsVolumesTwice] },
  async ({ engine, use }) => {
    const { free, used } = await use(freeAndUsed);
    const list = await given(engine.get('/volumes'), 200);
    const own = namesIn(list).filter((name) => name === free || name === used);
    expectValue('the volumes of this check in the list', own.toSorted(), [list]).toBe([free, used].toSorted());
  },
);

check(
  'volumes.list.as-inspected',
  {
    faults: [
      setsField('Volumes[].Mountpoint', '/another'),
      setsField('Volumes[].Driver', 'another'),
      since('1.23', setsField('Volumes[].Labels', {})),
    ],
  },
  async ({ engine, use }) => {
    const { name, inspect } = await use(plainShown);
    await given(Promise.resolve(inspect), 200);
    const list = await given(engine.get('/volumes'), 200);
    const [item] = valuesAt(list.json, 'Volumes')
      .flat()
      .filter((one) => isObject(one) && one.Name === name);
    if (item === undefined) throw new Blocked('the list does not have a volume that inspect shows');
    expectAlike(['Driver', 'Mountpoint', 'Labels'], { list, item, inspect });
  },
);

for (const [id, fault] of [
  ['volumes.list.filters-map-of-lists', ignoresQuery('filters')],
  ['volumes.list.filters-dangling', ignoresFilter('dangling')],
] as const) {
  check(id, { faults: [fault] }, async ({ use }) => {
    const { free, used, list } = await use(listedDangling);
    expectValue('the names in the list', namesIn(list), [list]).toContain(free);
    expectValue('the names in the list', namesIn(list), [list]).toLack(used);
  });
}

check('volumes.list.filters-bad-refused', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  await control(dangling(engine), 200);
  expect(await engine.get('/volumes', { filters: 'no JSON' })).toBeRefused();
});

check('volumes.list.filters-other', { faults: [] }, async ({ engine }) => {
  const asked = [{ dangling: ['false'] }, { colour: ['blue'] }];
  const answers = await Promise.all(asked.map((map) => engine.get('/volumes', { filters: filters(map) })));
  const facts = asked.map((map, place) => `${answers[place]?.status} to ${JSON.stringify(map)}`);
  observe(`answers ${facts.join(' and ')}`, ...answers);
});
