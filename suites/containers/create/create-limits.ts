import { check, type Fixture, fixture } from '../../../harness/check.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import type { Fault } from '../../../harness/faults/fault.ts';
import { ignoresBodyField, refusesAndDoes, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { NotApplicable } from '../../../harness/verdict/outcomes.ts';
import type { RuleId } from '../../../specs/catalogue.ts';
import { discardedByHost } from '../support/host-warnings.ts';
import { itemsOf, listFiltered } from '../support/list-answers.ts';
import { mixedNames } from '../support/mixed-names.ts';

const mebibyte = 1024 * 1024;

type HostConfig = Readonly<Record<string, unknown>>;

function createWith(engine: Engine, hostConfig: HostConfig): Promise<Exchange> {
  return create(engine, createBody(engine, { hostConfig }));
}

/** Values within a limit are accepted. */
function checkTaken(id: RuleId, ...values: readonly HostConfig[]): void {
  check(id, { faults: [answersStatus(400, 201)] }, async ({ engine }) => {
    for (const hostConfig of values) {
      const answer = await createWith(engine, hostConfig);
      const discarded = answer.status === 201 ? discardedByHost(answer) : undefined;
      if (discarded !== undefined) throw new NotApplicable(discarded);
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

/** A value outside a limit is refused. */
function checkRefused(id: RuleId, outside: HostConfig, taken: Fixture<Exchange>, faults: readonly Fault[] = []): void {
  const accepts = answersStatus(201);
  check(id, { faults: [accepts, ...faults] }, async ({ engine, use }) => {
    const accepted = await control(use(taken), 201);
    const discarded = discardedByHost(accepted);
    if (discarded !== undefined) throw new NotApplicable(discarded);
    expect(await createWith(engine, outside)).toBeRefused();
  });
}

check('containers.create.limits.name-letters', { faults: [answersStatus(400, 201)] }, async ({ engine }) => {
  const base = engine.name('container');
  for (const name of [`_${base}`, `-${base}`, `${base}_A-9`, base]) {
    engine.made({ kind: 'container', name });
    expect(await create(engine, createBody(engine), { name })).toHaveStatus(201);
  }
  expect(await createWithLetter(engine)).toHaveStatus(201);
});

/** Creates a container under a single-letter name that is free and that no identifier begins with. */
async function createWithLetter(engine: Engine): Promise<Exchange> {
  for (const name of 'xyzwvutsrqponmlkjihg') {
    const answer = await create(engine, createBody(engine), { name });
    if (answer.status !== 409) return answer;
  }
  throw new NotApplicable('the names of one letter are taken');
}

check('containers.create.limits.name-slash', { faults: [answersStatus(400, 201)] }, async ({ engine }) => {
  const name = engine.name('container');
  const answer = await create(engine, createBody(engine), { name: `/${name}` });
  expect(answer).toHaveStatus(201);
  const inspect = await given(engine.get(`/containers/${valuesAt(answer.json, 'Id')[0]}/json`), 200);
  expect(inspect).field('Name').toBe(`/${name}`);
});

const createsAll = [answersStatus(201), refusesAndDoes('name', /^[\w-]+$/, 201)];

/** The daemon refuses the names, and no container was created under any of them. */
async function expectNoneMade(engine: Engine, names: readonly string[]): Promise<void> {
  // Found by its own label, as it may exist under another name.
  const own = engine.name('container');
  const body = createBody(engine, { config: { Labels: { 'ec.own': own } } });
  await control(create(engine, createBody(engine)), 201);
  for (const name of names) {
    engine.made({ kind: 'container', name });
    expect(await create(engine, body, { name })).toBeRefused();
  }
  const made = await given(listFiltered(engine, { label: [`ec.own=${own}`] }), 200);
  expectValue('the containers that were made', itemsOf(made), [made]).toBe([]);
}

check('containers.create.limits.name-refused', { faults: createsAll }, ({ engine }) => {
  return expectNoneMade(engine, ['!!', '.']);
});

check('containers.create.limits.name-mixed-refused', { faults: createsAll }, ({ engine }) => {
  return expectNoneMade(engine, mixedNames(engine.name('container')));
});

checkTaken('containers.create.limits.BlkioWeight-range', { BlkioWeight: 10 }, { BlkioWeight: 1000 });
const weight = within({ BlkioWeight: 500 });
for (const [side, outside] of [
  ['low', 9],
  ['high', 1001],
] as const) {
  checkRefused(`containers.create.limits.BlkioWeight-${side}-refused`, { BlkioWeight: outside }, weight, [
    takesBodyFieldAs('HostConfig.BlkioWeight', 500),
  ]);
}

checkTaken('containers.create.limits.MemorySwappiness-range', { MemorySwappiness: 0 }, { MemorySwappiness: 100 });
const swappiness = within({ MemorySwappiness: 50 });
for (const [side, outside] of [
  // Engines take -1 for unset.
  ['low', -2],
  ['high', 101],
] as const) {
  checkRefused(`containers.create.limits.MemorySwappiness-${side}-refused`, { MemorySwappiness: outside }, swappiness, [
    ignoresBodyField('HostConfig.MemorySwappiness'),
  ]);
}

const memory = { Memory: 128 * mebibyte };
const swap = within({ ...memory, MemorySwap: 256 * mebibyte });

checkTaken('containers.create.limits.MemorySwap-larger', { ...memory, MemorySwap: 256 * mebibyte });
checkTaken('containers.create.limits.MemorySwap-unlimited', { ...memory, MemorySwap: -1 });
checkRefused('containers.create.limits.MemorySwap-smaller-refused', { ...memory, MemorySwap: 64 * mebibyte }, swap, [
  ignoresBodyField('HostConfig.MemorySwap'),
]);
checkRefused('containers.create.limits.MemorySwap-alone-refused', { MemorySwap: 256 * mebibyte }, swap, [
  ignoresBodyField('HostConfig.MemorySwap'),
]);

check('containers.create.limits.MemorySwap-equal', { faults: [] }, async ({ engine }) => {
  const answer = await createWith(engine, { ...memory, MemorySwap: memory.Memory });
  observe(`answers ${answer.status}`, answer);
});

checkTaken('containers.create.limits.PidsLimit-unlimited', { PidsLimit: -1 });

checkRefused('containers.create.limits.ShmSize-negative-refused', { ShmSize: -1 }, within({ ShmSize: 32 * mebibyte }), [
  takesBodyFieldAs('HostConfig.ShmSize', 32 * mebibyte),
]);

/** The size of /dev/shm in bytes according to the mounts of a running container. */
async function shmSize(engine: Engine, hostConfig: HostConfig): Promise<{ size: number; evidence: Exchange }> {
  const run = ['read', '/proc/self/mounts'];
  const container = await makeContainer(engine, { run, state: 'exited', hostConfig });
  const logs = await given(container.logs({ stdout: true }), 200);
  const options = /\S+ \/dev\/shm tmpfs (\S+)/.exec(logs.output)?.[1] ?? '';
  const kibibytes = /(?:^|,)size=(\d+)k/.exec(options)?.[1];
  return { size: Number(kibibytes) * 1024, evidence: logs };
}

check(
  'containers.create.limits.ShmSize-positive',
  { faults: [ignoresBodyField('HostConfig.ShmSize')] },
  async ({ engine }) => {
    const { size, evidence } = await shmSize(engine, { ShmSize: 8 * mebibyte });
    expectValue('the size of /dev/shm', size, [evidence]).toBe(8 * mebibyte);
  },
);

check(
  'containers.create.limits.ShmSize-default',
  { faults: [takesBodyFieldAs('HostConfig.ShmSize', 8 * mebibyte)] },
  async ({ engine }) => {
    const { size, evidence } = await shmSize(engine, {});
    expectValue('the size of /dev/shm', size, [evidence]).toBeOneOf(64 * mebibyte, 64_000_000);
  },
);

check('containers.create.limits.ShmSize-zero', { faults: [] }, async ({ engine }) => {
  const answer = await createWith(engine, { ShmSize: 0 });
  observe(`answers ${answer.status}`, answer);
});
