import { type CheckContext, check, type Fixture, type FixtureContext, fixture } from '../../../harness/check.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { type ContainerOutput, readOutput } from '../../../harness/engine/output.ts';
import { expect, expectValue, observe } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import type { Fault } from '../../../harness/faults/fault.ts';
import { ignoresBodyField, refusesAndDoes, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { NotApplicable } from '../../../harness/verdict/outcomes.ts';
import { type RuleId, rulebook } from '../../../specs/catalogue.ts';
import { holdsIn, isDocumented } from '../../../specs/versions.ts';
import { discardedByHost, type HostLimit, unlessDiscarded, unlessLacked } from '../../support/host-warnings.ts';
import { ifRight, ifThere, itself } from '../../support/shared-results.ts';
import { bridged, isolated } from '../support/created-together.ts';
import { itemsOf, listFiltered } from '../support/list-answers.ts';
import { mixedNames, plainNames } from '../support/mixed-names.ts';
import { withOtherSettings } from '../support/tried-together.ts';
import { made } from './create.ts';

const mebibyte = 1024 * 1024;

type HostConfig = Readonly<Record<string, unknown>>;

function createWith(engine: Engine, hostConfig: HostConfig): Promise<Exchange> {
  return create(engine, createBody(engine, { hostConfig }));
}

/** Values within limits that one request can have together: the lowest ones, and the highest ones. */
const lowest = new Map<RuleId, HostConfig>();
const highest = new Map<RuleId, HostConfig>();
const ofLowest = takenTogether('the lowest values', lowest);
const ofHighest = takenTogether('the highest values', highest);

function takenTogether(what: string, all: ReadonlyMap<RuleId, HostConfig>): Fixture<Exchange> {
  return fixture(`the answer of create with ${what} within limits`, ({ engine, api }) => {
    const known = [...all].filter(([id]) => holdsIn(rulebook[id], api));
    return createWith(engine, Object.assign({}, ...known.map(([, hostConfig]) => hostConfig)));
  });
}

/** What was answered to many values, where all of them were taken; else one value is tried alone. */
async function takenWith(
  { engine, use }: FixtureContext,
  shared: Fixture<Exchange>,
  own: HostConfig,
): Promise<Exchange> {
  const answer = ifRight(await ifThere(use(shared)), ({ status }) => status === 201, withOtherSettings, itself);
  return answer && discardedByHost(answer) === undefined ? answer : createWith(engine, own);
}

/** Values within a limit are accepted. */
function checkTaken(id: RuleId, { low, high }: { readonly low?: HostConfig; readonly high?: HostConfig }): void {
  if (low) lowest.set(id, low);
  if (high) highest.set(id, high);
  check(id, { faults: [answersStatus(400, 201)] }, async (context) => {
    for (const [shared, hostConfig] of [
      [ofLowest, low],
      [ofHighest, high],
    ] as const) {
      if (!hostConfig) continue;
      const answer = await takenWith(context, shared, hostConfig);
      if (answer.status === 201) unlessDiscarded(answer);
      expect(answer).toHaveStatus(201);
    }
  });
}

/** Values within a limit. The answer to them is the positive control for every value outside it. */
function within(hostConfig: HostConfig): Fixture<Exchange> {
  return fixture(`the answer of create with ${JSON.stringify(hostConfig)}`, ({ engine }) =>
    createWith(engine, hostConfig),
  );
}

/** The same for a limit whose lowest value is tried with those of others. */
function withinTogether(hostConfig: HostConfig): Fixture<Exchange> {
  return fixture(`the answer of create with ${JSON.stringify(hostConfig)} or a lower value`, (context) =>
    takenWith(context, ofLowest, hostConfig),
  );
}

/** A value outside a limit is refused. */
function checkRefused(
  id: RuleId,
  outside: HostConfig,
  taken: Fixture<Exchange>,
  faults: readonly Fault[] = [],
  limits: readonly HostLimit[] = [],
): void {
  const accepts = answersStatus(201);
  check(id, { faults: [accepts, ...faults] }, async (context) => {
    unlessDiscarded(await control(context.use(taken), 201));
    const answer = await createWith(context.engine, outside);
    if (answer.status === 201) await unlessLacked(context, ...limits);
    expect(answer).toBeRefused();
  });
}

check('containers.create.limits.name-letters', { faults: [answersStatus(400, 201)] }, async ({ engine, api }) => {
  const base = engine.name('container');
  for (const name of [...plainNames(base, api), base]) {
    engine.made({ kind: 'container', name });
    expect(await create(engine, createBody(engine), { name })).toHaveStatus(201);
  }
  if (isDocumented(api)) expect(await createWithLetter(engine)).toHaveStatus(201);
});

/** Creates a container under a single-letter name that is free and that no identifier begins with. */
async function createWithLetter(engine: Engine): Promise<Exchange> {
  for (const name of 'xyzwvutsrqponmlkjihg') {
    const answer = await create(engine, createBody(engine), { name });
    if (answer.status !== 409) return answer;
  }
  throw new NotApplicable('the names of one letter are taken');
}

check(
  'containers.create.limits.name-slash',
  { faults: [answersStatus(400, 201), answersStatus(201, 409)] },
  async ({ engine }) => {
    const name = engine.name('container');
    const answer = await create(engine, createBody(engine), { name: `/${name}` });
    expect(answer).toHaveStatus(201);
    const inspect = await given(engine.get(`/containers/${valuesAt(answer.json, 'Id')[0]}/json`), 200);
    expect(inspect).field('Name').toBe(`/${name}`);
    // It is the name that the container has without the slash, so it is taken; with which status has a rule of its own.
    expect(await create(engine, createBody(engine), { name: `/${name}` })).toBeRefused();
  },
);

const createsAll = [answersStatus(201), refusesAndDoes('name', /^[\w-]+$/, 201)];

/** The daemon refuses the names, and no container was created under any of them. */
async function expectNoneMade({ engine, use }: CheckContext, names: readonly string[]): Promise<void> {
  // Found by its own label, as it may exist under another name.
  const own = engine.name('container');
  const body = createBody(engine, { config: { Labels: { 'ec.own': own } } });
  await control(
    use(made).then(({ answer }) => answer),
    201,
  );
  for (const name of names) {
    engine.made({ kind: 'container', name });
    expect(await create(engine, body, { name })).toBeRefused();
  }
  const list = await given(listFiltered(engine, { label: [`ec.own=${own}`] }), 200);
  expectValue('the containers that were made', itemsOf(list), [list]).toBe([]);
}

check('containers.create.limits.name-refused', { faults: createsAll }, (context) => {
  return expectNoneMade(context, ['!!', '.']);
});

check('containers.create.limits.name-mixed-refused', { faults: createsAll }, (context) => {
  return expectNoneMade(context, mixedNames(context.engine.name('container'), context.api));
});

checkTaken('containers.create.limits.BlkioWeight-range', { low: { BlkioWeight: 10 }, high: { BlkioWeight: 1000 } });
const weight = withinTogether({ BlkioWeight: 500 });
for (const [side, outside] of [
  ['low', 9],
  ['high', 1001],
] as const) {
  checkRefused(`containers.create.limits.BlkioWeight-${side}-refused`, { BlkioWeight: outside }, weight, [
    takesBodyFieldAs('HostConfig.BlkioWeight', 500),
  ]);
}

checkTaken('containers.create.limits.MemorySwappiness-range', {
  low: { MemorySwappiness: 0 },
  high: { MemorySwappiness: 100 },
});
const swappiness = withinTogether({ MemorySwappiness: 50 });
for (const [side, outside] of [
  // Engines take -1 for unset.
  ['low', -2],
  ['high', 101],
] as const) {
  checkRefused(
    `containers.create.limits.MemorySwappiness-${side}-refused`,
    { MemorySwappiness: outside },
    swappiness,
    [ignoresBodyField('HostConfig.MemorySwappiness')],
    ['MemoryLimit'],
  );
}

const memory = { Memory: 128 * mebibyte };
const swap = withinTogether({ ...memory, MemorySwap: 256 * mebibyte });

checkTaken('containers.create.limits.MemorySwap-larger', { low: { ...memory, MemorySwap: 256 * mebibyte } });
checkTaken('containers.create.limits.MemorySwap-unlimited', { high: { ...memory, MemorySwap: -1 } });
for (const [name, outside] of [
  ['smaller', { ...memory, MemorySwap: 64 * mebibyte }],
  ['alone', { MemorySwap: 256 * mebibyte }],
] as const) {
  checkRefused(
    `containers.create.limits.MemorySwap-${name}-refused`,
    outside,
    swap,
    [ignoresBodyField('HostConfig.MemorySwap')],
    ['MemoryLimit', 'SwapLimit'],
  );
}

check('containers.create.limits.MemorySwap-equal', { faults: [] }, async ({ engine }) => {
  const answer = await createWith(engine, { ...memory, MemorySwap: memory.Memory });
  observe(`answers ${answer.status}`, answer);
});

checkTaken('containers.create.limits.PidsLimit-unlimited', { high: { PidsLimit: -1 } });

checkRefused('containers.create.limits.ShmSize-negative-refused', { ShmSize: -1 }, within({ ShmSize: 32 * mebibyte }), [
  takesBodyFieldAs('HostConfig.ShmSize', 32 * mebibyte),
]);

const readsMounts = ['read', '/proc/self/mounts'];

/** The size of /dev/shm in bytes according to the mounts that a container reads. */
function shmSizeIn(mounts: string): number {
  const options = /\S+ \/dev\/shm tmpfs (\S+)/.exec(mounts)?.[1] ?? '';
  const kibibytes = /(?:^|,)size=(\d+)k/.exec(options)?.[1];
  return Number(kibibytes) * 1024;
}

async function shmSize(engine: Engine, hostConfig: HostConfig): Promise<ContainerOutput> {
  return readOutput(await makeContainer(engine, { run: readsMounts, state: 'exited', hostConfig }));
}

for (const [name, hostConfig, sizes, column, fault] of [
  ['ShmSize-positive', { ShmSize: 8 * mebibyte }, [8 * mebibyte], bridged, ignoresBodyField('HostConfig.ShmSize')],
  [
    ...(['ShmSize-default', {}, [64 * mebibyte, 64_000_000], isolated] as const),
    takesBodyFieldAs('HostConfig.ShmSize', 8 * mebibyte),
  ],
] as const) {
  const id = `containers.create.limits.${name}` as const;
  const isRight = (mounts: string) => sizes.some((size) => size === shmSizeIn(mounts));
  column.add(id, { run: readsMounts, hostConfig });
  check(id, { faults: [fault] }, async (context) => {
    const shown = await column.outputOf(context, id, isRight);
    const { stdout, evidence } = shown ?? (await shmSize(context.engine, hostConfig));
    expectValue('the size of /dev/shm', shmSizeIn(stdout), [evidence]).toBeOneOf(...sizes);
  });
}

check('containers.create.limits.ShmSize-zero', { faults: [] }, async ({ engine }) => {
  const answer = await createWith(engine, { ShmSize: 0 });
  observe(`answers ${answer.status}`, answer);
});
