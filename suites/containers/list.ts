import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { undocumentedFields } from '../../harness/expect/undocumented.ts';
import { answersBody, answersStatus, changesJson, listsTwice } from '../../harness/faults/answers.ts';
import { type Fault, onlyFor } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import type { Target } from '../../harness/target/target.ts';
import { Blocked, NotApplicable } from '../../harness/verdict/outcomes.ts';
import { containerListItem } from '../../specs/resources/container.ts';
import type { FieldRule } from '../../specs/rule.ts';
import { created, exited, idle, paused, rich, useCommon } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { isList } from '../support/known-answer.ts';
import { expectAlike } from '../support/list-and-inspect.ts';
import { expectSeconds } from '../support/moments.ts';
import { ifThere } from '../support/shared-results.ts';
import { inspectOfRich } from './inspect.ts';
import { createdInOrder, runningInOrder } from './support/creation-order.ts';
import { expectListed, itemOf, itemsOf, list } from './support/list-answers.ts';

const ownItem = fixture('the item of a running container in the list', async ({ engine, use }) => {
  const container = await use(rich);
  const answer = await given(list(engine, { all: true, size: true }), 200);
  const item = itemOf(answer, container);
  if (!item) throw new Blocked('the list does not have a container that runs');
  return answer.narrowedTo(item);
});

/** The items of stopped containers, in which many fields are empty. */
const otherItems = fixture('the items of stopped containers in the list', async ({ engine, use }) => {
  const others = [await use(created), await use(exited)];
  const answer = await given(list(engine, { all: true, size: true }), 200);
  const items = others.flatMap((container) => itemOf(answer, container) ?? []);
  if (items.length < others.length) throw new Blocked('the list does not have containers that do not run');
  return answer.narrowedTo(items);
});

/** What cannot be made is not listed, and only its own rules look for it. */
const allListed = doneOnce('the list of all containers', async ({ engine, use }) => {
  for (const container of [created, exited]) await ifThere(use(container));
  return list(engine, { all: true });
});

/** The endpoint settings of a network are judged where they are set (host-config-networks.ts). */
const fields = fieldRulesOf('containers.list.field.').filter(({ field }) => field.schema.presence !== 'echo');
/** Members of a list or map need one that is not empty. */
const needsMore = ({ field: { path } }: FieldRule) => /\[\]|\{\}/.test(path);

/** Answers something else in place of an empty list of ports. */
function setsNoPorts(instead: JsonValue): Fault {
  return changesJson(`answers Ports as ${JSON.stringify(instead)} where there are none`, (json) =>
    [json]
      .flat()
      .map((item) => (isObject(item) && [item.Ports].flat().length === 0 ? { ...item, Ports: instead } : item)),
  );
}

/** Leaves out the size of the written files when nothing was written. */
const dropsSizeOfNothing = changesJson('leaves SizeRw out where it is 0', (json) =>
  [json].flat().map((item) => {
    if (!isObject(item) || item.SizeRw !== 0) return item;
    const { SizeRw: _, ...others } = item;
    return others;
  }),
);

checkFields(
  fields.filter((rule) => !needsMore(rule)),
  [ownItem, otherItems],
  { Ports: { faults: [null, {}].map(setsNoPorts) }, SizeRw: { faults: [dropsSizeOfNothing] } },
);
/** What publishes ports is a network. */
const notOn = ({ lacks }: Target) => lacks.networking;

checkFields(fields.filter(needsMore), ownItem, {
  'Ports[].PrivatePort': { notOn },
  'Ports[].PublicPort': { notOn, where: (port) => port.PrivatePort === 8080 },
  'Ports[].Type': { notOn },
});

check(
  'containers.list.created-seconds',
  { faults: [setsField('Created', 0), setsField('Created', 1_700_000_000_000)] },
  async (context) => {
    const container = await useCommon(context, created);
    const answer = await given(allListed(context), 200);
    const inspect = await given(container.inspect(), 200);
    const seconds = itemOf(answer, container)?.Created;
    expectSeconds('Created in the list', seconds, valuesAt(inspect.json, 'Created')[0], [inspect, answer]);
  },
);

check(
  'containers.list.image-name',
  { faults: [setsField('Image', `sha256:${'0'.repeat(64)}`), setsField('Image', 'another')] },
  async (context) => {
    const { engine } = context;
    const { image } = engine.sandbox;
    const container = await useCommon(context, created);
    // An image may have several names, and a daemon may complete a short name.
    const [id] = valuesAt((await given(engine.get(`/images/${image}/json`), 200)).json, 'Id');
    const images = await given(engine.get('/images/json'), 200);
    const same = itemsOf(images).filter((one) => isObject(one) && one.Id === id);
    const names = same.flatMap((one) => valuesAt(one, 'RepoTags').flat());
    const answer = await given(allListed(context), 200);
    expectValue('Image in the list', itemOf(answer, container)?.Image, [images, answer]).toBeOneOf(image, ...names);
  },
);

check('containers.list.labels-of-create', { faults: [setsField('Labels', {})] }, async (context) => {
  const container = await useCommon(context, created);
  const answer = await given(allListed(context), 200);
  expectValue('Labels in the list', itemOf(answer, container)?.Labels, [answer]).toBeLike(
    context.engine.sandbox.labels,
  );
});

const ofNetwork = 'NetworkSettings.Networks{}';
/** What a container is given on a network; what it was asked for there is judged where it is set. */
const ofEndpoint = [
  ...['NetworkID', 'EndpointID', 'MacAddress', 'Gateway', 'IPAddress', 'IPPrefixLen'],
  ...['IPv6Gateway', 'GlobalIPv6Address', 'GlobalIPv6PrefixLen'],
].map((name) => `${ofNetwork}.${name}`);
/** Without Source, which engines leave empty in a list where they chose it themselves. */
const ofMount = ['Destination', 'Mode', 'RW', 'Name', 'Driver', 'Propagation'].map((name) => `Mounts[].${name}`);

check('containers.list.name-as-inspected', { faults: [setsField('Names', ['/another'])] }, async ({ use }) => {
  const inspect = await use(inspectOfRich);
  const listed = await use(ownItem);
  const [name] = valuesAt(inspect.json, 'Name');
  const [names] = valuesAt(listed.json, 'Names');
  if (name === undefined || names === undefined) throw new NotApplicable('the list has no Names, or inspect no Name');
  expectValue('Names in the list', names, [inspect, listed], { level: 'should' }).toContain(name);
});

for (const [rule, members, faults] of [
  ['image', [{ listed: 'ImageID', inspected: 'Image' }], [setsField('ImageID', 'another')]],
  ['state', [{ listed: 'State', inspected: 'State.Status' }], [setsField('State', 'paused')]],
  ['network-mode', ['HostConfig.NetworkMode'], [setsField('HostConfig.NetworkMode', 'another')]],
  [
    'networks',
    ofEndpoint,
    [setsField(`${ofNetwork}.IPAddress`, '192.0.2.1'), setsField(`${ofNetwork}.EndpointID`, 'another')],
  ],
  ['mounts', ofMount, [setsField('Mounts[].Destination', '/another'), setsField('Mounts[].RW', false)]],
] as const) {
  check(`containers.list.${rule}-as-inspected`, { faults }, async ({ use }) => {
    const inspect = await use(inspectOfRich);
    const list = await use(ownItem);
    expectAlike(members, { list, item: list.json, inspect });
  });
}

check('containers.list.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  const answer = await list(engine);
  expect(answer).toHaveStatus(200);
  await isList(answer);
});

check('containers.list.answers-list', { faults: [answersBody('{}'), listsTwice()] }, async (context) => {
  const container = await context.use(created);
  const answer = await given(allListed(context), 200);
  expect(answer)
    .json()
    .toSatisfy('a list', (body) => Array.isArray(body));
  const ids = itemsOf(answer).map((item) => Object(item).Id);
  expectValue('how often a container is listed', ids.filter((id) => id === container.id).length, [answer]).toBe(1);
});

check(
  'containers.list.bad-parameter-refused',
  { faults: [ignoresQuery('limit'), answersStatus(422, 400)] },
  async ({ engine }) => {
    await control(list(engine, { limit: 1 }), 200);
    expect(await list(engine, { limit: 'many' })).toBeRefused();
  },
);

check('containers.list.all-default-false', { faults: [takesQueryAs('all', '1')] }, async ({ engine, use }) => {
  const [running, stopped] = [await use(idle), await use(exited)];
  expectListed(await given(list(engine), 200), [running], [stopped]);
});

check('containers.list.all-true', { faults: [ignoresQuery('all')] }, async (context) => {
  const { use } = context;
  const both = [await use(created), await use(exited)];
  expectListed(await given(allListed(context), 200), both, []);
});

check(
  'containers.list.all-spellings',
  { faults: [knowsOnly('all', '1'), takesQueryAs('all', '1')] },
  async ({ engine, use }) => {
    const stopped = await use(created);
    for (const all of ['1', 'True', 'true']) expectListed(await given(list(engine, { all }), 200), [stopped], []);
    for (const all of ['0', 'False', 'false']) expectListed(await given(list(engine, { all }), 200), [], [stopped]);
  },
);

const listsOldest = changesJson('lists the oldest where one is asked for', (json) =>
  Array.isArray(json) && json.length === 1 ? [{ ...Object(json[0]), Id: '0'.repeat(64), Created: 1 }] : json,
);

check(
  'containers.list.limit',
  { faults: [ignoresQuery('limit'), takesQueryAs('limit', '1'), listsOldest], exclusive: true },
  async ({ engine }) => {
    const first = await makeContainer(engine);
    const second = await makeContainer(engine);
    const third = await makeContainer(engine);
    const all = await given(list(engine, { all: true }), 200);
    for (const [limit, older] of [
      [1, [first, second]],
      [2, [first]],
    ] as const) {
      const answer = await given(list(engine, { limit }), 200);
      expectValue(`the number of containers listed with limit=${limit}`, itemsOf(answer).length, [answer]).toBe(limit);
      // Another client may have created a newer one in between; but an older one is never among the last created.
      expectListed(answer, itemOf(answer, third) ? [third] : [], older);
      for (const { Created } of itemsOf(answer).filter(isObject)) {
        const what = `Created of what is listed with limit=${limit}`;
        expectValue(what, Created, [all, answer]).toBeAtLeast(Number(itemOf(all, second)?.Created));
      }
    }
  },
);

check(
  'containers.list.limit-includes-stopped',
  { faults: [ignoresQuery('limit')], exclusive: true },
  async ({ engine }) => {
    const stopped = await makeContainer(engine);
    expectListed(await given(list(engine, { limit: 50 }), 200), [stopped], []);
  },
);

check('containers.list.since', { faults: [ignoresQuery('since')] }, async ({ engine, use }) => {
  const [first, second, third] = await use(runningInOrder);
  expectListed(await given(list(engine, { since: second.id }), 200), [third], [first, second]);
});

check('containers.list.since-includes-stopped', { faults: [ignoresQuery('since')] }, async ({ engine, use }) => {
  const [first, second] = await use(createdInOrder);
  expectListed(await given(list(engine, { since: first.id }), 200), [second], [first]);
});

const beforeAlone = onlyFor(({ path }) => path.includes('since='), ignoresQuery('before'), 'ignores before with since');

check('containers.list.before', { faults: [ignoresQuery('before'), beforeAlone] }, async ({ engine, use }) => {
  const [first, second, third] = await use(runningInOrder);
  expectListed(await given(list(engine, { before: second.id }), 200), [first], [second, third]);
  const between = await given(list(engine, { since: first.id, before: third.id }), 200);
  expectListed(between, [second], [first, third]);
});

check('containers.list.before-includes-stopped', { faults: [ignoresQuery('before')] }, async ({ engine, use }) => {
  const [first, second] = await use(createdInOrder);
  expectListed(await given(list(engine, { before: second.id }), 200), [first], [second]);
});

check('containers.list.size-true', { faults: [ignoresQuery('size')] }, async ({ engine, use }) => {
  const container = await use(rich);
  const answer = await given(list(engine, { all: true, size: true }), 200);
  const item = itemOf(answer, container);
  expectValue('SizeRw and SizeRootFs of a container', [typeof item?.SizeRw, typeof item?.SizeRootFs], [answer]).toBe([
    'number',
    'number',
  ]);
});

check(
  'containers.list.size-spellings',
  { faults: [knowsOnly('size', '1'), takesQueryAs('size', '1')] },
  async ({ engine, use }) => {
    const container = await use(rich);
    for (const [size, isAsked] of [
      ['1', true],
      ['True', true],
      ['true', true],
      ['0', false],
      ['False', false],
      ['false', false],
    ] as const) {
      const answer = await given(list(engine, { all: true, size }), 200);
      const told = itemOf(answer, container)?.SizeRw;
      // Where the size was asked for, it may be 0. Where it was not, 0 tells none.
      const isTold = typeof told === 'number' && (isAsked || told > 0);
      expectValue(`whether SizeRw tells a size with size=${size}`, isTold, [answer]).toBe(isAsked);
    }
  },
);

check('containers.list.state-value', { faults: [setsField('State', 'Up')] }, async ({ engine, use }) => {
  const container = await use(rich);
  const answer = await given(list(engine, { all: true }), 200);
  expectValue('State of a container', itemOf(answer, container)?.State, [answer]).toBeOneOf(
    'created',
    'restarting',
    'running',
    'paused',
    'exited',
    'dead',
  );
});

check(
  'containers.list.status-exited',
  { faults: [setsField('Status', 'Stopped'), setsField('Status', 'Exited (0)')] },
  async (context) => {
    const container = await context.use(exited);
    const answer = await given(allListed(context), 200);
    const status = expectValue('Status of a container that exited with 42', itemOf(answer, container)?.Status, [
      answer,
    ]);
    status.toMatch(/^Exit.*\b42\b/);
  },
);

check('containers.list.paused-in-default', { faults: [] }, async ({ engine, use }) => {
  const container = await use(paused);
  const answer = await given(list(engine), 200);
  observe(itemOf(answer, container) ? 'has paused containers' : 'has no paused containers', answer);
});

check('containers.list.size-default', { faults: [] }, async ({ engine, use }) => {
  const container = await use(rich);
  const answer = await given(list(engine), 200);
  const item = itemOf(answer, container);
  observe(item && 'SizeRw' in item ? 'has SizeRw without size' : 'has no SizeRw without size', answer);
});

for (const parameter of ['since', 'before'] as const) {
  check(`containers.list.${parameter}-unknown`, { faults: [] }, async ({ engine }) => {
    const answer = await list(engine, { [parameter]: engine.unusedName('container') });
    observe(`answers ${answer.status}`, answer);
  });
}

check('containers.list.undocumented', { faults: [] }, async ({ use, api }) => {
  const answer = await use(ownItem);
  observe(undocumentedFields(answer.json, containerListItem, api), answer);
});
