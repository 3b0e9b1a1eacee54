import { check } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given } from '../../harness/engine/given.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, observe } from '../../harness/expect/expect.ts';
import { answersStatus, changesJson } from '../../harness/faults/answers.ts';
import { ignoresFilter, ignoresQuery, takesFilterAs } from '../../harness/faults/requests.ts';
import { runLabel } from '../../harness/sandbox/marks.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { pulled } from '../registry/support/pulled-image.ts';
import { commonContainer, created, exited, idle, paused, rich, succeeded } from '../support/common-containers.ts';
import { createdInOrder } from './support/creation-order.ts';
import { hostPathPlace, ofHostPath } from './support/host-path.ts';
import { expectListed, itemOf, list, listFiltered } from './support/list-answers.ts';
import { makeRestarting } from './support/restarting-container.ts';

/** Containers that differ only in their labels: the key and the value of one begin those of the others. */
const [labelledOne, labelledTwo, labelledOther] = [
  commonContainer('a container with labels', { config: { Labels: { 'ec.kind': 'one', 'ec.key': 'a=b' } } }),
  commonContainer('a container with other values', { config: { Labels: { 'ec.kind': 'two', 'ec.key': 'a=bc' } } }),
  commonContainer('a container with another label', { config: { Labels: { 'ec.kind': 'none', 'ec.key2': 'a=b' } } }),
];

check('containers.list.filters.map-of-lists', { faults: [ignoresQuery('filters')] }, async ({ engine, use }) => {
  const [one, two, none] = [await use(labelledOne), await use(labelledTwo), await use(labelledOther)];
  const answer = await given(
    listFiltered(engine, { label: ['ec.kind=one', `${runLabel}=${engine.sandbox.run}`] }),
    200,
  );
  expectListed(answer, [one], [two, none]);
});

check('containers.list.filters.bad-refused', { faults: [ignoresQuery('filters')] }, async ({ engine }) => {
  await control(list(engine, { filters: filters({ label: ['ec.kind'] }) }), 200);
  expect(await list(engine, { filters: 'no JSON' })).toBeRefused();
});

check(
  'containers.list.filters.value-refused',
  { faults: [takesFilterAs('exited', '0'), takesFilterAs('status', 'exited')] },
  async ({ engine }) => {
    for (const [filter, good] of [
      ['exited', '0'],
      ['status', 'exited'],
    ] as const) {
      await control(listFiltered(engine, { [filter]: [good] }), 200);
      expect(await listFiltered(engine, { [filter]: ['ec-unknown'] })).toBeRefused();
    }
  },
);

check('containers.list.filters.exited', { faults: [ignoresFilter('exited')] }, async ({ engine, use }) => {
  const [withCode, other] = [await use(exited), await use(succeeded)];
  expectListed(await given(listFiltered(engine, { exited: ['42'] }), 200), [withCode], [other]);
});

// That they have no exit code yet is not said in words.
check('containers.list.filters.exited-ended', { faults: [ignoresFilter('exited')] }, async ({ engine, use }) => {
  const [ended, running, unstarted] = [await use(succeeded), await use(idle), await use(created)];
  expectListed(await given(listFiltered(engine, { exited: ['0'] }), 200), [ended], [running, unstarted]);
});

for (const [state, common, another] of [
  ['created', created, idle],
  ['running', idle, created],
  ['paused', paused, created],
  ['exited', exited, created],
] as const) {
  check(`containers.list.filters.status-${state}`, { faults: [ignoresFilter('status')] }, async ({ engine, use }) => {
    const [inState, other] = [await use(common), await use(another)];
    expectListed(await given(listFiltered(engine, { status: [state] }), 200), [inState], [other]);
  });
}

const refusesStatus = answersStatus(500, 200);

const ofRestarting = { faults: [ignoresFilter('status'), refusesStatus] };
check('containers.list.filters.status-restarting', ofRestarting, async ({ engine, use }) => {
  const other = await use(created);
  const restarting = await listFiltered(engine, { status: ['restarting'] });
  expect(restarting).toHaveStatus(200);
  expectListed(restarting, [], [other]);
  const container = await makeRestarting(engine);
  await container.inspectUntil('a restarting container', ({ json }) => valuesAt(json, 'State.Restarting')[0] === true);
  expectListed(await given(listFiltered(engine, { status: ['restarting'] }), 200), [container], [other]);
});

const ofDead = { faults: [ignoresFilter('status'), refusesStatus] };
check('containers.list.filters.status-dead', ofDead, async ({ engine, use }) => {
  const others = [await use(created), await use(idle)];
  const dead = await listFiltered(engine, { status: ['dead'] });
  expect(dead).toHaveStatus(200);
  expectListed(dead, [], others);
});

check('containers.list.filters.label-key', { faults: [ignoresFilter('label')] }, async ({ engine, use }) => {
  const [labelled, other] = [await use(labelledOne), await use(labelledOther)];
  expectListed(await given(listFiltered(engine, { label: ['ec.key'] }), 200), [labelled], [other]);
});

/** Of the value, only what is before its first equals sign counts, or nothing at all. */
const cutsValue = ['ec.key=a', 'ec.key'].map((cut) => takesFilterAs('label', cut));

check(
  'containers.list.filters.label-value',
  { faults: [ignoresFilter('label'), ...cutsValue] },
  async ({ engine, use }) => {
    const [labelled, others] = [await use(labelledOne), [await use(labelledTwo), await use(labelledOther)]];
    expectListed(await given(listFiltered(engine, { label: ['ec.key=a=b'] }), 200), [labelled], others);
  },
);

for (const [form, ancestorOf] of [
  ['name', ({ sandbox }: Engine) => plainName(sandbox.image)],
  ['tag', ({ sandbox }: Engine) => nameAndTag(sandbox.image).join(':')],
  ['id', (engine: Engine) => imageId(engine, engine.sandbox.image)],
] as const) {
  check(
    `containers.list.filters.ancestor-${form}`,
    { faults: [ignoresFilter('ancestor')] },
    async ({ engine, use }) => {
      const ancestor = await ancestorOf(engine);
      const container = await use(created);
      expectListed(await given(listFiltered(engine, { ancestor: [ancestor] }), 200), [container], []);
      // An image that does not exist has no containers; a daemon may also answer with an error.
      const none = await given(listFiltered(engine, { ancestor: [engine.unusedName('image')] }), 200, 400, 404);
      expectListed(none, [], [container]);
    },
  );
}

/** @throws NotApplicable where the name alone means another image, as the probe image has a tag that is not latest */
function plainName(image: string): string {
  const [name, tag] = nameAndTag(image);
  if (tag === latest) return name;
  throw new NotApplicable(`the name of the probe image, without its tag ${tag}, is not its name`);
}

const latest = 'latest';

/** @throws NotApplicable where the image is named by its digest */
function nameAndTag(image: string): readonly [name: string, tag: string] {
  if (image.includes('@')) throw new NotApplicable('the probe image is named by its digest');
  // The host of a registry may end in a port.
  const [, name = image, tag = latest] = /^(.+):([^:/]+)$/.exec(image) ?? [];
  return [name, tag];
}

async function imageId(engine: Engine, image: string): Promise<string> {
  const inspect = await given(engine.get(`/images/${image}/json`), 200);
  return String(valuesAt(inspect.json, 'Id')[0]);
}

for (const [filter, present, absent] of [
  ['before', 0, 2],
  ['since', 2, 0],
] as const) {
  for (const form of ['id', 'name'] as const) {
    check(`containers.list.filters.${filter}-${form}`, { faults: [ignoresFilter(filter)] }, async ({ engine, use }) => {
      const made = await use(createdInOrder);
      const answer = await given(listFiltered(engine, { [filter]: [made[1][form]] }), 200);
      expectListed(answer, [made[present]], [made[1], made[absent]]);
    });
  }
}

check('containers.list.filters.volume-name', { faults: [ignoresFilter('volume')] }, async ({ engine, use }) => {
  const volume = engine.name('volume');
  const mounted = await makeContainer(engine, { hostConfig: { Binds: [`${volume}:/ec-volume`] } });
  const other = await use(created);
  expectListed(await given(listFiltered(engine, { volume: [volume] }), 200), [mounted], [other]);
});

check('containers.list.filters.volume-destination', { faults: [ignoresFilter('volume')] }, async ({ engine, use }) => {
  const mounted = await use(rich);
  const other = await makeContainer(engine, { config: { Volumes: { '/ec-volume2': {} } } });
  expectListed(await given(listFiltered(engine, { volume: ['/ec-volume'] }), 200), [mounted], [other]);
});

const forgetsBinds = changesJson('finds nothing where one place is asked for', () => []);

check(
  'containers.list.filters.volume-bind',
  { faults: [ignoresFilter('volume'), forgetsBinds] },
  async ({ engine, use }) => {
    const [bound, other] = [await use(ofHostPath), await use(created)];
    expectListed(await given(listFiltered(engine, { volume: [hostPathPlace] }), 200), [bound], [other]);
  },
);

check('containers.list.filters.imply-all', { faults: [] }, async ({ engine, use }) => {
  const labelled = await use(labelledOne);
  const answer = await given(list(engine, { filters: filters({ label: ['ec.key=a=b'] }) }), 200);
  const listed = itemOf(answer, labelled) !== undefined;
  observe(`a label filter ${listed ? 'brings' : 'does not bring'} containers that do not run`, answer);
});

check('containers.list.filters.unknown', { faults: [] }, async ({ engine }) => {
  const answer = await listFiltered(engine, { 'ec-unknown': ['1'] });
  observe(`answers ${answer.status}`, answer);
});

check('containers.list.filters.ancestor-digest', { faults: [ignoresFilter('ancestor')] }, async ({ engine, use }) => {
  const { name: digest, tagged } = await use(pulled);
  const name = engine.name('container');
  const created = await given(create(engine, createBody(engine, { config: { Image: tagged } }), { name }), 201);
  const container = new Container(engine, String(valuesAt(created.json, 'Id')[0]), name);
  const other = await makeContainer(engine);
  expectListed(await given(listFiltered(engine, { ancestor: [digest] }), 200), [container], [other]);
});
