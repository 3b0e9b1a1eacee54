import { check, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { countObjects, firstObjects } from '../../harness/engine/objects.ts';
import { readOutput } from '../../harness/engine/output.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { dropsField, setsField } from '../../harness/faults/fields.ts';
import { inEachObject, repeatsFirstObject, separatesObjects } from '../../harness/faults/objects.ts';
import { ignoresQuery, knowsOnly, knowsOnlyIdentifiers, takesQueryAs } from '../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import type { Target } from '../../harness/target/target.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import type { FieldRule } from '../../specs/rule.ts';
import { commonContainer, created, useCommon } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { unlessLacked } from '../support/host-warnings.ts';
import { no, yes } from '../support/spellings.ts';
import { givenNames } from './support/interfaces.ts';

/** The second object is the first that has a previous reading. */
const boundMs = 20_000;

function stats(engine: Engine, container: string, query: Query = {}): Promise<LiveExchange> {
  return engine.open('GET', `/containers/${container}/stats`, { query, boundMs });
}

const measured = commonContainer(
  'a running container that has used the processor',
  { run: ['burn', '20', 'list', '/sys/class/net', 'out', 'ready\\n', 'forever'], state: 'running', network: 'own' },
  'ready',
);

const head = doneOnce('the head of the stats of a container', async ({ engine, use }) => {
  const live = await stats(engine, (await use(measured)).id);
  live.drop();
  return live;
});

const firstTwo = doneOnce('two objects of the stats of a container', async ({ engine, use }) => {
  const live = await given(stats(engine, (await use(measured)).id), 200);
  const found = await firstObjects(engine, live, 2);
  live.drop();
  return { live, found };
});

const objects = fixture('the first two objects of the stats of a container', (context) =>
  settled(firstTwo(context), 'reading the stats'),
);

const second = fixture('the second object of the stats of a container', async ({ use }) => {
  const [first, last] = (await use(objects)).found;
  return last ?? first ?? Promise.reject(new Error('no object was waited for'));
});

/** What only a host with control groups for it measures: a member that tells, and what `/info` says of such a host. */
const ofHost = [
  { within: 'memory_stats', tells: 'usage', limit: 'MemoryLimit' },
  { within: 'pids_stats', tells: 'current', limit: 'PidsLimit' },
] as const;

const statsFields = fieldRulesOf('containers.stats.field.');
const isWithin = ({ id }: FieldRule, { within }: (typeof ofHost)[number]) =>
  id.startsWith(`containers.stats.field.${within}.`);
/** Without a network there is nothing to count. */
const counted = { notOn: ({ lacks }: Target) => lacks.networking };
checkFields(
  statsFields.filter((rule) => !ofHost.some((group) => isWithin(rule, group))),
  second,
  { network: counted, networks: counted },
  inEachObject,
);
for (const group of ofHost) {
  const { within, tells, limit } = group;
  const measured = fixture(`the second object of the stats of a container, with ${within}`, async (context) => {
    const object = await context.use(second);
    if (valuesAt(object.json, `${within}.${tells}`).length === 0) await unlessLacked(context, limit);
    return object;
  });
  checkFields(
    statsFields.filter((rule) => isWithin(rule, group)),
    measured,
    {},
    inEachObject,
  );
}

check('containers.stats.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await head(context)).toHaveStatus(200);
});

check('containers.stats.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(head(context), 200);
  expect(await stats(engine, engine.unusedName('container'))).toHaveStatus(404);
});

check('containers.stats.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await head(context)).toHaveStatus(200);
  expect(await stats(engine, (await use(measured)).name)).toHaveStatus(200);
});

check(
  'containers.stats.media-type',
  { faults: [dropsHeader('Content-Type'), setsHeader('Content-Type', 'text/plain')] },
  async (context) => {
    expect(await given(head(context), 200)).toHaveMediaType('application/json');
  },
);

check(
  'containers.stats.objects-in-a-row',
  { faults: [separatesObjects(','), repeatsFirstObject()] },
  async (context) => {
    const { live, found } = await firstTwo(context);
    expectValue('the objects that came', found.length, [live]).toBe(2);
    // Live statistics change: a later reading differs in its time or its counters.
    const [first, second] = found.map(({ json }) => json);
    expectValue('the second object', second, [live]).toDiffer(first);
  },
);

check('containers.stats.stream-default-true', { faults: [takesQueryAs('stream', '0')] }, async (context) => {
  const { live, found } = await firstTwo(context);
  expectValue('the objects that came', found.length, [live]).toBe(2);
});

/** The answer ends after one object. */
async function expectOnce(engine: Engine, container: string, stream: string): Promise<void> {
  const live = await given(stats(engine, container, { stream }), 200);
  expectValue(`the objects that came with stream=${stream}`, countObjects(await live.rest()), [live]).toBe(1);
}

const endless = ignoresQuery('stream');

check('containers.stats.stream-false', { faults: [endless], slowToFail: true }, async ({ engine, use }) => {
  await expectOnce(engine, (await use(measured)).id, '0');
});

check(
  'containers.stats.stream-spellings',
  { faults: [knowsOnly('stream', '1', '0'), takesQueryAs('stream', '0')], slowToFail: true },
  async ({ engine, use }) => {
    const { id } = await use(measured);
    const streamed = yes.map(async (stream) => {
      const live = await given(stats(engine, id, { stream }), 200);
      const found = await firstObjects(engine, live, 2);
      expectValue(`the objects that came with stream=${stream}`, found.length, [live]).toBe(2);
    });
    await Promise.all([...streamed, ...no.map((stream) => expectOnce(engine, id, stream))]);
  },
);

check(
  'containers.stats.no-network',
  { faults: [inEachObject(setsField('network', {})), inEachObject(dropsField('networks'))] },
  async ({ use }) => {
    const answer = await use(second);
    expect(answer).field('network').toBeAbsent();
    expect(answer).field('networks').toBeThere();
  },
);

check(
  'containers.stats.networks-by-interface',
  {
    faults: [inEachObject(setsField('networks', { net9: {} })), inEachObject(setsField('networks', {}))],
  },
  async (context) => {
    const { use } = context;
    const { stdout } = await readOutput(await useCommon(context, measured));
    const interfaces = givenNames(stdout).filter((line) => line !== 'ready');
    if (interfaces.length === 0) throw new Blocked('the container sees no interface');
    const answer = await use(second);
    const [networks] = valuesAt(answer.json, 'networks');
    const named = isObject(networks) ? Object.keys(networks) : [];
    for (const name of interfaces) expectValue('the names in networks', named, [answer]).toContain(name);
  },
);

/** What the documents say that a reading has. */
const cpuMembers = [
  ...['total_usage', 'usage_in_kernelmode', 'usage_in_usermode', 'percpu_usage'].map((name) => `cpu_usage.${name}`),
  'system_cpu_usage',
  ...['periods', 'throttled_periods', 'throttled_time'].map((name) => `throttling_data.${name}`),
];

check(
  'containers.stats.precpu-previous',
  {
    faults: [
      inEachObject(setsField('precpu_stats.cpu_usage.total_usage', 1)),
      inEachObject(dropsField('precpu_stats')),
    ],
  },
  async ({ use }) => {
    const [first, last] = (await use(objects)).found;
    const evidence = await use(second);
    // What an engine adds to one of both need not be in the other.
    for (const member of cpuMembers) {
      const [earlier, later] = [first?.json ?? null, last?.json ?? null];
      expectValue(`precpu_stats.${member} of the second object`, valuesAt(later, `precpu_stats.${member}`), [
        evidence,
      ]).toBe(valuesAt(earlier, `cpu_stats.${member}`));
    }
  },
);

check('containers.stats.not-running', { faults: [] }, async ({ engine, use }) => {
  const live = await stats(engine, (await use(created)).id, { stream: '0' });
  const body = await live.rest().catch(() => undefined);
  if (body === undefined) observe(`answers ${live.status}, and does not end`, live);
  else if (live.status !== 200) observe(`answers ${live.status}`, live);
  else observe(`answers 200 with ${countObjects(body)} objects`, live);
});
