import { type CheckContext, check, fixture } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import {
  createInSubnet,
  createNetwork,
  inspectNetwork,
  networkBody,
  networkIdIn,
} from '../../harness/engine/networks.ts';
import type { Subnet } from '../../harness/engine/subnets.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { type Fault, on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { unlessNetworked } from './support/membership.ts';
import { bridged, bridgedShown, named, shown as namedShown } from './support/sample-networks.ts';

const refuses = answersStatus(400, 201);

/** Creates a network, which must succeed, and returns what inspect shows of it. */
async function shown({ engine }: CheckContext, members: Readonly<Record<string, unknown>>): Promise<Exchange> {
  const body = networkBody(engine, members);
  const created = await createNetwork(engine, body);
  expect(created).toHaveStatus(201);
  return given(inspectNetwork(engine, networkIdIn(created) ?? String(body.Name)), 200);
}

/** The same for a network with a subnet of the documentation ranges. */
async function shownInSubnet(
  { engine }: CheckContext,
  wanted: (subnet: Subnet) => Readonly<Record<string, unknown>>,
): Promise<{ inspect: Exchange; subnet: Subnet }> {
  const { created, name, subnet } = await createInSubnet(engine, wanted);
  expect(created).toHaveStatus(201);
  return { inspect: await given(inspectNetwork(engine, networkIdIn(created) ?? name), 200), subnet };
}

function checkBody(id: RuleId, faults: readonly Fault[], run: (context: CheckContext) => Promise<void>): void {
  check(id, { faults: [...faults, refuses], notOn: unlessNetworked }, run);
}

const anotherName = on('GET /networks/{id}', setsField('Name', 'another'));

checkBody('networks.create.body.Name', [anotherName], async ({ use }) => {
  const { name, answer } = await use(named);
  expect(answer).toHaveStatus(201);
  expect(await given(use(namedShown), 200))
    .field('Name')
    .toBe(name);
});

checkBody('networks.create.body.Driver', [takesBodyFieldAs('Driver', 'ec-no-such-driver')], async ({ use }) => {
  expect((await use(bridged)).answer).toHaveStatus(201);
  expect(await given(use(bridgedShown), 200))
    .field('Driver')
    .toBe('bridge');
});

// networks.create.duplicate-refused judges whether a taken name is refused.
checkBody('networks.create.body.CheckDuplicate', [], async ({ engine }) => {
  for (const CheckDuplicate of [true, false]) {
    expect(await createNetwork(engine, networkBody(engine, { CheckDuplicate }))).toHaveStatus(201);
  }
});

/** Whether create succeeded is not judged yet. */
const inSubnet = fixture('a network that was created with a subnet', ({ engine }) =>
  createInSubnet(engine, ({ cidr }) => ({ IPAM: { Driver: 'default', Config: [{ Subnet: cidr }] } })),
);

const inSubnetShown = fixture('the inspect answer of a network that was created with a subnet', async (context) => {
  const { created, name } = await context.use(inSubnet);
  return given(inspectNetwork(context.engine, networkIdIn(created) ?? name), 200);
});

for (const [id, ignored] of [
  ['networks.create.body.IPAM', 'IPAM'],
  ['networks.create.body.IPAM.Config', 'IPAM.Config'],
  ['networks.create.body.IPAM.Config[].Subnet', 'IPAM.Config[].Subnet'],
] as const) {
  checkBody(id, [ignoresBodyField(ignored)], async ({ use }) => {
    const { created, subnet } = await use(inSubnet);
    expect(created).toHaveStatus(201);
    const inspect = await use(inSubnetShown);
    const subnets = valuesAt(inspect.json, 'IPAM.Config[].Subnet');
    // A network may have further subnets, here and below.
    expectValue('IPAM.Config[].Subnet', subnets, [inspect]).toContain(subnet.cidr);
  });
}

checkBody('networks.create.body.IPAM.Driver', [takesBodyFieldAs('IPAM.Driver', 'ec-no-such')], async (context) => {
  expect(await shown(context, { IPAM: { Driver: 'default' } }))
    .field('IPAM.Driver')
    .toBe('default');
});

// networks.create.ipam-range judges that containers get addresses from it.
checkBody(
  'networks.create.body.IPAM.Config[].IPRange',
  [
    ignoresBodyField('IPAM.Config[].IPRange'),
    on('GET /networks/{id}', setsField('IPAM.Config[].IPRange', 42)),
    on('GET /networks/{id}', setsField('IPAM.Config[].IPRange', '192.0.2.0/30')),
  ],
  async (context) => {
    const { inspect, subnet } = await shownInSubnet(context, ({ cidr, upperHalf }) => ({
      IPAM: { Driver: 'default', Config: [{ Subnet: cidr, IPRange: upperHalf }] },
    }));
    expectValue('IPAM.Config[].IPRange', valuesAt(inspect.json, 'IPAM.Config[].IPRange'), [inspect]).toContain(
      subnet.upperHalf,
    );
  },
);

checkBody(
  'networks.create.body.IPAM.Config[].Gateway',
  [ignoresBodyField('IPAM.Config[].Gateway')],
  async (context) => {
    const { inspect, subnet } = await shownInSubnet(context, ({ cidr, at }) => ({
      IPAM: { Driver: 'default', Config: [{ Subnet: cidr, Gateway: at(9) }] },
    }));
    expectValue('IPAM.Config[].Gateway', valuesAt(inspect.json, 'IPAM.Config[].Gateway'), [inspect]).toContain(
      subnet.at(9),
    );
  },
);

check('networks.create.body.IPAM.Config[].AuxAddress', { faults: [] }, async ({ engine }) => {
  const facts: string[] = [];
  const answers: Exchange[] = [];
  for (const [form, aux] of [
    ['a map', (address: string) => ({ 'ec-device': address })],
    ['a text', (address: string) => `ec-device:${address}`],
  ] as const) {
    const { created, name } = await createInSubnet(engine, ({ cidr, at }) => ({
      IPAM: { Driver: 'default', Config: [{ Subnet: cidr, AuxAddress: aux(at(5)) }] },
    }));
    answers.push(created);
    if (created.status !== 201) {
      facts.push(`${form} answers ${created.status}`);
      continue;
    }
    const inspect = await given(inspectNetwork(engine, name), 200);
    const isShown = valuesAt(inspect.json, 'IPAM.Config[].AuxAddress').length > 0;
    facts.push(`${form} is taken and ${isShown ? 'shown' : 'not shown'}`);
  }
  observe(facts.join('; '), ...answers);
});

/** Options belong to the driver; no document says that it shows them, or reports one that it does not have. */
const option = { 'ec.option': 'one', 'ec.other': 'two' };
const first = { 'ec.option': 'one' };

checkBody(
  'networks.create.body.Options',
  [ignoresBodyField('Options'), takesBodyFieldAs('Options', first)],
  async ({ engine }) => {
    const body = networkBody(engine, { Options: option });
    const created = await createNetwork(engine, body);
    expect(created).toHaveStatus(201);
    const [warning] = valuesAt(created.json, 'Warning');
    const inspect = await given(inspectNetwork(engine, networkIdIn(created) ?? String(body.Name)), 200);
    const [options] = valuesAt(inspect.json, 'Options');
    expectValue('what became of Options', { options: options ?? null, warning: warning ?? null }, [created, inspect], {
      level: 'should',
    }).toSatisfy(
      'the option, or a Warning about it',
      () => has(options, option) || (typeof warning === 'string' && warning !== ''),
    );
  },
);

checkBody('networks.create.body.IPAM.Options', [ignoresBodyField('IPAM.Options')], async (context) => {
  const { inspect } = await shownInSubnet(context, ({ cidr }) => ({
    IPAM: { Driver: 'default', Config: [{ Subnet: cidr }], Options: option },
  }));
  const [options] = valuesAt(inspect.json, 'IPAM.Options');
  expectValue('IPAM.Options', options, [inspect], { level: 'should' }).toSatisfy('the option', () =>
    has(options, option),
  );
});

checkBody(
  'networks.create.body.Internal',
  [ignoresBodyField('Internal'), takesBodyFieldAs('Internal', true)],
  (context) => expectFlag(context, 'Internal'),
);

checkBody(
  'networks.create.body.EnableIPv6',
  [ignoresBodyField('EnableIPv6'), takesBodyFieldAs('EnableIPv6', true)],
  (context) => expectFlag(context, 'EnableIPv6'),
);

/** Inspect shows the flag as it was set. */
async function expectFlag(context: CheckContext, flag: 'Internal' | 'EnableIPv6'): Promise<void> {
  for (const value of [true, false]) {
    const { inspect } = await shownInSubnet(context, ({ cidr, cidr6 }) => ({
      [flag]: value,
      IPAM: {
        Driver: 'default',
        Config: [{ Subnet: cidr }, ...(flag === 'EnableIPv6' && value ? [{ Subnet: cidr6 }] : [])],
      },
    }));
    expect(inspect).field(flag).toBe(value);
  }
}

checkBody('networks.create.body.Labels', [ignoresBodyField('Labels')], async (context) => {
  const labels = { 'ec.one': '1', 'ec.two': 'a=b' };
  const inspect = await shown(context, { Labels: labels });
  const [found] = valuesAt(inspect.json, 'Labels');
  expectValue('Labels', found, [inspect]).toSatisfy(`at least ${JSON.stringify(labels)}`, () => has(found, labels));
});

function has(found: JsonValue | undefined, wanted: Readonly<Record<string, string>>): boolean {
  return isObject(found) && Object.entries(wanted).every(([name, value]) => found[name] === value);
}
