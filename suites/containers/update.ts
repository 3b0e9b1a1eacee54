import { check, checkRule, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { isLike } from '../../harness/expect/like.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { alike, on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import {
  ignoresBodyField,
  knowsOnlyIdentifiers,
  mendsCutBody,
  swallows,
  takesBodyFieldAs,
} from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { unlessDiscarded, unlessLacked } from '../support/host-warnings.ts';
import { ifRight, ifThere, withOtherMembers } from '../support/shared-results.ts';

const mebibyte = 1024 * 1024;
const taken = '{"Warnings":[]}';

function update(engine: Engine, container: string, json: unknown): Promise<Exchange> {
  return engine.post(`/containers/${container}/update`, { json });
}

/** Every check that has it sets the same value, and none looks at what the others have set. */
const updatable = fixture('a container for updates of CpuShares', ({ engine }) => makeContainer(engine));
const moreShares = { CpuShares: 512 };

const asked = doneOnce('an update of CpuShares', async ({ engine, use }) =>
  update(engine, (await use(updatable)).id, moreShares),
);

const updated = fixture('the answer of update', (context) => given(asked(context), 200));

checkFields(fieldRulesOf('containers.update.field.'), updated);

check('containers.update.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await asked(context)).toHaveStatus(200);
});

check('containers.update.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control(asked(context), 200);
  expect(await update(engine, engine.unusedName('container'), moreShares)).toHaveStatus(404);
});

check('containers.update.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await asked(context)).toHaveStatus(200);
  expect(await update(engine, (await use(updatable)).name, moreShares)).toHaveStatus(200);
});

check('containers.update.json-media-type', { faults: [answersStatus(415)] }, async (context) => {
  // `update` sends Content-Type: application/json.
  expect(await asked(context)).toHaveStatus(200);
});

check(
  'containers.update.bad-parameter-refused',
  { faults: [answersStatus(200), answersStatus(409, 400), mendsCutBody()] },
  async ({ engine }) => {
    const container = await makeContainer(engine);
    unlessDiscarded(await control(update(engine, container.id, { CpuShares: 512 }), 200));
    expect(await update(engine, container.id, 'no object')).toBeRefused();
    const headers = { 'content-type': 'application/json' };
    expect(await engine.post(container.path('update'), { headers, body: '{"CpuShares":256' })).toBeRefused();
    expect(await given(container.inspect(), 200))
      .field('HostConfig.CpuShares')
      .toBe(512);
  },
);

const kernelMemory = 32 * mebibyte;

/** Values for each field, and what has to stand beside them. */
const samples: Readonly<Record<string, { value: JsonValue; beside?: Record<string, JsonValue> }>> = {
  BlkioWeight: { value: 300 },
  CpuShares: { value: 512 },
  CpuPeriod: { value: 50_000, beside: { CpuQuota: 25_000 } },
  CpuQuota: { value: 25_000, beside: { CpuPeriod: 50_000 } },
  CpusetCpus: { value: '0' },
  CpusetMems: { value: '0' },
  Memory: { value: 64 * mebibyte, beside: { MemorySwap: 128 * mebibyte } },
  MemorySwap: { value: 128 * mebibyte, beside: { Memory: 64 * mebibyte } },
  MemoryReservation: { value: 32 * mebibyte, beside: { Memory: 64 * mebibyte, MemorySwap: 128 * mebibyte } },
  KernelMemory: { value: kernelMemory, beside: { Memory: 64 * mebibyte, MemorySwap: 128 * mebibyte } },
  RestartPolicy: { value: { Name: 'on-failure', MaximumRetryCount: 3 } },
};

interface Updated {
  readonly answer: Exchange;
  readonly inspect: Exchange;
}

/** The answer of an update of some fields, and what inspect shows then. @throws NotApplicable when the host lacks them */
async function updatedWith(engine: Engine, fields: readonly string[]): Promise<Updated> {
  const container = await makeContainer(engine);
  const set = Object.fromEntries(fields.map((field) => [field, samples[field]?.value ?? null]));
  const beside = Object.assign({}, ...fields.map((field) => samples[field]?.beside));
  const answer = await update(engine, container.id, { ...beside, ...set });
  expect(answer).toHaveStatus(200);
  unlessDiscarded(answer);
  return { answer, inspect: await given(container.inspect(), 200) };
}

/** Fields that one update can set all together. */
const togethers = [
  ['CpuShares', 'CpuPeriod', 'CpuQuota', 'CpusetCpus', 'CpusetMems', 'RestartPolicy'],
  ['Memory', 'MemorySwap', 'MemoryReservation'],
].map((fields) => ({
  fields,
  shown: fixture(`what inspect shows after an update of ${fields.join(', ')}`, ({ engine }) =>
    updatedWith(engine, fields),
  ),
}));

for (const rule of fieldRulesOf('containers.update.body.')) {
  const { path } = rule.field;
  const [top = '', member] = path.split('.');
  const sample = samples[top];
  if (!sample) throw new Error(`no sample for ${top}`);
  const set = member === undefined ? sample.value : Object(sample.value)[member];
  const together = togethers.find(({ fields }) => fields.includes(top))?.shown;
  const shownBy = (inspect: Exchange) => valuesAt(inspect.json, `HostConfig.${path}`)[0];
  const faults = [ignoresBodyField(path), swallows(200, taken), answersStatus(400, 200)];
  checkRule(rule, { faults }, async ({ engine, use }) => {
    const shared = together && (await ifThere(use(together)));
    const isSet = (shown: Updated) => isLike(shownBy(shown.inspect), set);
    const shown = ifRight(shared, isSet, withOtherMembers, (one) => one.inspect);
    const { answer, inspect } = shown ?? (await updatedWith(engine, [top]));
    expectValue(`HostConfig.${path}`, shownBy(inspect), [answer, inspect]).toBeLike(set);
  });
}

check(
  'containers.update.others-kept',
  { faults: [takesBodyFieldAs('CpuPeriod', 60_000), takesBodyFieldAs('RestartPolicy', { Name: 'always' })] },
  async ({ engine }) => {
    const hostConfig = {
      CpuPeriod: 50_000,
      CpuQuota: 25_000,
      RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 },
    };
    const container = await makeContainer(engine, { hostConfig });
    const answer = await given(update(engine, container.id, { CpuShares: 512 }), 200);
    unlessDiscarded(answer);
    const inspect = await given(container.inspect(), 200);
    for (const [name, value] of Object.entries(hostConfig)) {
      const now = valuesAt(inspect.json, `HostConfig.${name}`)[0];
      expectValue(`HostConfig.${name} after an update of CpuShares`, now, [answer, inspect]).toBeLike(value);
    }
  },
);

check(
  'containers.update.while-running',
  {
    faults: [
      answersStatus(409, 200),
      swallows(200, taken),
      on('GET /containers/{id}/json', setsField('State.Running', false)),
    ],
  },
  async (context) => {
    const { engine } = context;
    const container = await makeContainer(engine, { state: 'running' });
    const answer = await update(engine, container.id, { CpuShares: 512 });
    if (answer.status !== 200) await unlessLacked(context);
    expect(answer).toHaveStatus(200);
    const inspect = await given(container.inspect(), 200);
    expect(inspect).field('State.Running').toBe(true);
    unlessDiscarded(answer);
    expect(inspect).field('HostConfig.CpuShares').toBe(512);
  },
);

check(
  'containers.update.BlkioWeight-refused',
  { faults: [answersStatus(200), takesBodyFieldAs('BlkioWeight', 500)] },
  async (context) => {
    const { engine } = context;
    const { id } = await makeContainer(engine);
    unlessDiscarded(await control(update(engine, id, { BlkioWeight: 500 }), 200));
    for (const BlkioWeight of [9, 1001]) {
      const refused = await update(engine, id, { BlkioWeight });
      if (refused.status === 200) await unlessLacked(context);
      expect(refused).toBeRefused();
    }
  },
);

// Older versions refuse so little, where they know the field.
check(
  'containers.update.KernelMemory-ignored',
  {
    faults: [
      answersStatus(400, 200),
      on('GET /containers/{id}/json', setsField('HostConfig.KernelMemory', kernelMemory)),
    ],
  },
  async ({ engine, use }) => {
    const container = await use(updatable);
    expect(await update(engine, container.id, { KernelMemory: 1 })).toHaveStatus(200);
    expect(await update(engine, container.id, { KernelMemory: kernelMemory })).toHaveStatus(200);
    const inspect = await given(container.inspect(), 200);
    const shown = valuesAt(inspect.json, 'HostConfig.KernelMemory');
    expectValue('KernelMemory of inspect', shown, [inspect]).toLack(kernelMemory);
  },
);

check(
  'containers.update.RestartPolicy-unknown-refused',
  { faults: [answersStatus(200), takesBodyFieldAs('RestartPolicy.Name', 'always')] },
  async ({ engine }) => {
    const { id } = await makeContainer(engine);
    const named = (Name: string) => update(engine, id, { RestartPolicy: { Name, MaximumRetryCount: 0 } });
    await control(named('always'), 200);
    expect(await named('ec-unknown')).toBeRefused();
  },
);

const memory = { Memory: 128 * mebibyte } as const;

/** Updates of MemorySwap against the rules for it, and one of the same container that keeps them. */
const swapLimits = doneOnce('updates of MemorySwap', async ({ engine }) => {
  const { id } = await makeContainer(engine);
  const swap = { MemorySwap: 256 * mebibyte };
  // First, as the container has no Memory yet.
  const alone = await update(engine, id, swap);
  const kept = await update(engine, id, { ...memory, ...swap });
  const smaller = await update(engine, id, { ...memory, MemorySwap: 64 * mebibyte });
  const above = await update(engine, id, { Memory: 512 * mebibyte });
  return { alone, kept, smaller, above, after: await engine.get(`/containers/${id}/json`) };
});

for (const [rule, which, fault] of [
  ['containers.update.MemorySwap-smaller-refused', 'smaller', takesBodyFieldAs('MemorySwap', 256 * mebibyte)],
  ['containers.update.MemorySwap-alone-refused', 'alone', ignoresBodyField('MemorySwap')],
] as const) {
  check(rule, { faults: [answersStatus(200), fault] }, async (context) => {
    const { kept, [which]: refused } = await swapLimits(context);
    unlessDiscarded(await control(Promise.resolve(kept), 200));
    if (refused.status === 200) await unlessLacked(context, 'MemoryLimit', 'SwapLimit');
    expect(refused).toBeRefused();
  });
}

/** Takes the Memory alone, as if nothing else depended on it. */
const outgrowsSwap = alike(
  'sets Memory above MemorySwap',
  answersStatus(200),
  on('GET /containers/{id}/json', setsField('HostConfig.Memory', 512 * mebibyte)),
);

check('containers.update.MemorySwap-left-behind', { faults: [outgrowsSwap] }, async (context) => {
  const { kept, above, after } = await swapLimits(context);
  unlessDiscarded(await control(Promise.resolve(kept), 200));
  await given(Promise.resolve(after), 200);
  const [Memory, MemorySwap] = ['Memory', 'MemorySwap'].map((name) => valuesAt(after.json, `HostConfig.${name}`)[0]);
  // 0 and -1 are no limit.
  const isWithin = !(Number(MemorySwap) > 0) || Number(Memory) <= Number(MemorySwap);
  if (!isWithin) await unlessLacked(context, 'MemoryLimit', 'SwapLimit');
  expectValue('Memory and MemorySwap', [Memory, MemorySwap], [kept, above, after]).toSatisfy(
    'the first no larger than the second',
    () => isWithin,
  );
});

check(
  'containers.update.MemorySwap-unlimited',
  { faults: [answersStatus(400, 200), ignoresBodyField('MemorySwap')] },
  async ({ engine }) => {
    const container = await makeContainer(engine);
    const answer = await update(engine, container.id, { ...memory, MemorySwap: -1 });
    expect(answer).toHaveStatus(200);
    unlessDiscarded(answer);
    expect(await given(container.inspect(), 200))
      .field('HostConfig.MemorySwap')
      .toBe(-1);
  },
);
