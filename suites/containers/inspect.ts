import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { undocumentedFields } from '../../harness/expect/undocumented.ts';
import { answersStatus, changesJson } from '../../harness/faults/answers.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { keysOf } from '../../specs/keys.ts';
import { containerInspect } from '../../specs/resources/container.ts';
import type { FieldRule } from '../../specs/rule.ts';
import { type Common, created, exited, idle, paused, rich, useCommon } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { tellUnjudged } from '../support/shared-results.ts';
import { ofHostPath } from './support/host-path.ts';
import { hasTidiedUp } from './support/named-states.ts';
import { makeRestarting } from './support/restarting-container.ts';

/** The inspect answer of a running container with a volume and a published port. */
export const inspectOfRich = fixture('the inspect answer of a running container', async (context) => {
  const container = await useCommon(context, rich);
  return given(container.inspect(context.api === '1.20' ? undefined : { size: true }), 200);
});

/** Fields of Config and HostConfig that echo the create request are judged where they are set. */
const echoes = fieldRulesOf('containers.inspect.field.').filter(({ field }) => field.schema.presence === 'echo');
const others = fieldRulesOf('containers.inspect.field.').filter((rule) => !echoes.includes(rule));

/** The fields of State depend on the state; all others are most complete in a running container. */
const ofState = (rule: FieldRule) => rule.field.path.startsWith('State.');
const inspectOf = (common: Common) =>
  doneOnce(`the answer of inspect for ${common.name}`, async (context) => (await useCommon(context, common)).inspect());
const [inspected, ofRunning, ofPaused] = [inspectOf(created), inspectOf(idle), inspectOf(paused)];
const inspectsOfStopped = [
  fixture(`the inspect answer of ${created.name}`, (context) => given(inspected(context), 200)),
  fixture(`the inspect answer of ${exited.name}`, async (context) =>
    given((await useCommon(context, exited)).inspect(), 200),
  ),
];

checkFields(
  others.filter((rule) => !ofState(rule)),
  inspectOfRich,
);
for (const rule of others.filter(ofState)) {
  const { path } = rule.field;
  checkFields([rule], [inspectOfRich, ...inspectsOfStopped], { [path]: { faults: [forgetsWhenStopped(path)] } });
}

/** Answers null for a member of State when nothing runs. */
function forgetsWhenStopped(path: string): Fault {
  const [, name = ''] = path.split('.');
  return changesJson(`answers ${path} as null where nothing runs`, (json) =>
    isObject(json) && isObject(json.State) && json.State.Running === false
      ? { ...json, State: { ...json.State, [name]: null } }
      : json,
  );
}

// The image of the suite has no triggers, and no request of the documents sets them.
checkFields(
  echoes.filter(({ field }) => field.path === 'Config.OnBuild'),
  inspectOfRich,
);

check('containers.inspect.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await inspected(context)).toHaveStatus(200);
});

check('containers.inspect.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(inspected(context), 200);
  expect(await engine.get(`/containers/${engine.unusedName('container')}/json`)).toHaveStatus(404);
});

check('containers.inspect.id-or-name', { faults: [setsField('Id', 'another')] }, async (context) => {
  const { engine, use } = context;
  const { id, name } = await use(created);
  for (const answer of [await inspected(context), await engine.get(`/containers/${name}/json`)]) {
    expect(answer).toHaveStatus(200);
    expect(answer).field('Id').toBe(id);
  }
});

const sizes = ['SizeRw', 'SizeRootFs'] as const;

async function sizesAt(engine: Engine, id: string, size: string) {
  return sizesIn(await given(engine.get(`/containers/${id}/json`, { size }), 200), size);
}

function sizesIn(answer: Exchange, size?: string) {
  const { json } = answer;
  // Where the size was asked for, it may be 0. Where it was not, 0 counts as absent.
  const isAsked = ['1', 'True', 'true'].includes(size ?? '');
  const told = (value: unknown) => typeof value === 'number' && (isAsked || value > 0);
  const there = sizes.filter((name) => isObject(json) && told(json[name]));
  return expectValue(`the sizes with ${size === undefined ? 'no size' : `size=${size}`}`, there, [answer]);
}

check('containers.inspect.size-true', { faults: [ignoresQuery('size')] }, async ({ engine, use }) => {
  (await sizesAt(engine, (await use(rich)).id, '1')).toBe([...sizes]);
});

/** Always has both members, but their sizes only where they were asked for. */
const addsZeros = changesJson('answers SizeRw and SizeRootFs as 0 when size is not set', (json) =>
  isObject(json) ? { SizeRw: 0, SizeRootFs: 0, ...json } : json,
);

check(
  'containers.inspect.size-default-false',
  { faults: [takesQueryAs('size', '1'), addsZeros] },
  async ({ engine, use }) => {
    const { id } = await use(rich);
    const plain = await given(engine.get(`/containers/${id}/json`), 200);
    sizesIn(plain).toBe([]);
    // A 0 or null tells no size; but both are only added by `size`.
    for (const name of sizes) expect(plain, { level: 'should' }).field(name).toBeAbsent();
  },
);

check(
  'containers.inspect.size-spellings',
  { faults: [knowsOnly('size', '1'), takesQueryAs('size', '1')] },
  async ({ engine, use }) => {
    const id = (await use(rich)).id;
    for (const size of ['1', 'True', 'true']) (await sizesAt(engine, id, size)).toBe([...sizes]);
    for (const size of ['0', 'False', 'false']) (await sizesAt(engine, id, size)).toBe([]);
  },
);

check('containers.inspect.no-ExecDriver', { faults: [setsField('ExecDriver', 'native-0.2')] }, async ({ use }) => {
  expect(await use(inspectOfRich))
    .field('ExecDriver')
    .toBeAbsent();
});

check('containers.inspect.no-LxcConf', { faults: [setsField('HostConfig.LxcConf', [])] }, async ({ use }) => {
  expect(await use(inspectOfRich))
    .field('HostConfig.LxcConf')
    .toBeAbsent();
});

/** What inspect said of one of the networks, in NetworkSettings itself. */
const ofOneNetwork = {
  Gateway: '172.17.0.1',
  IPAddress: '172.17.0.2',
  IPPrefixLen: 16,
  MacAddress: '02:42:ac:11:00:02',
  EndpointID: '',
  IPv6Gateway: '',
  GlobalIPv6Address: '',
  GlobalIPv6PrefixLen: 0,
} as const;

check(
  'containers.inspect.no-address-of-one-network',
  { faults: Object.entries(ofOneNetwork).map(([name, shown]) => setsField(`NetworkSettings.${name}`, shown)) },
  async ({ use }) => {
    const inspect = await use(inspectOfRich);
    for (const name of keysOf(ofOneNetwork)) expect(inspect).field(`NetworkSettings.${name}`).toBeAbsent();
  },
);

const address = '02:42:ac:11:00:99';

check(
  'containers.inspect.no-MacAddress',
  { faults: [setsField('Config.MacAddress', ''), setsField('Config.MacAddress', address)] },
  async ({ engine }) => {
    const container = await makeContainer(engine, { config: { MacAddress: address } });
    expect(await given(container.inspect(), 200))
      .field('Config.MacAddress')
      .toBeAbsent();
  },
);

check(
  'containers.inspect.running-state',
  { faults: [true, false].map((on) => setsField('State.Running', on)) },
  async (context) => {
    expect(await given(ofRunning(context), 200))
      .field('State.Running')
      .toBe(true);
    const stopped = await useCommon(context, exited);
    expect(await given(stopped.inspect(), 200))
      .field('State.Running')
      .toBe(false);
  },
);

check(
  'containers.inspect.paused-state',
  { faults: [true, false].map((on) => setsField('State.Paused', on)) },
  async (context) => {
    expect(await given(ofPaused(context), 200))
      .field('State.Paused')
      .toBe(true);
    expect(await given(ofRunning(context), 200))
      .field('State.Paused')
      .toBe(false);
  },
);

/** The pauses between restarts grow from a tenth of a second to several; one of them has to be met. */
const restartsSeenMs = 5_000;
const shortestRestartMs = 100;

check('containers.inspect.restarting-state', { faults: [setsField('State.Restarting', false)] }, async ({ engine }) => {
  const container = await makeRestarting(engine);
  const isRestarting = ({ json }: Exchange) => valuesAt(json, 'State.Restarting')[0] === true;
  const look = () => container.inspect();
  const last = await lookUntil(look, isRestarting, restartsSeenMs, { firstPauseMs: shortestRestartMs });
  // A daemon may fail a look at a process that is just ending; the last one decides.
  await given(Promise.resolve(last), 200);
  // How often was looked depends on time, and so is no part of what deviates.
  expectValue('whether State.Restarting is true in a look between restarts', isRestarting(last), [last]).toBe(true);
});

/** Judges by the process, and ignores that it is paused. */
const callsPausedRunning = changesJson('calls a paused container running', (json) => {
  const state = isObject(json) && isObject(json.State) ? json.State : {};
  return isObject(json) && state.Paused === true ? { ...json, State: { ...state, Status: 'running' } } : json;
});

check(
  'containers.inspect.status-value',
  { faults: [setsField('State.Status', 'running'), setsField('State.Status', 'up'), callsPausedRunning] },
  async (context) => {
    const { freezer } = context.target.lacks;
    if (freezer !== undefined) tellUnjudged('a paused container was', freezer);
    for (const [state, common] of [
      ['created', created],
      ['running', idle],
      ['exited', exited],
      ...(freezer === undefined ? ([['paused', paused]] as const) : []),
    ] as const) {
      const container = await useCommon(context, common);
      if (state === 'exited') await hasTidiedUp(container);
      expect(await given(container.inspect(), 200))
        .field('State.Status')
        .toBe(state);
    }
  },
);

check('containers.inspect.mount-of-bind', { faults: [] }, async (context) => {
  const container = await useCommon(context, ofHostPath);
  const answer = await given(container.inspect(), 200);
  const [mount] = valuesAt(answer.json, 'Mounts').flat();
  const has = (name: string) => (isObject(mount) && mount[name] ? `a ${name}` : `no ${name}`);
  observe(`a bind has ${has('Name')} and ${has('Driver')}`, answer);
});

check('containers.inspect.undocumented', { faults: [] }, async ({ use, api }) => {
  const answer = await use(inspectOfRich);
  observe(undocumentedFields(answer.json, containerInspect, api), answer);
});
