import { check, fixture } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import {
  createNetwork,
  inspectNetwork,
  ipamOf,
  makeInSubnet,
  networkBody,
  networkIdIn,
  removeNetwork,
} from '../../harness/engine/networks.ts';
import { nextSubnet } from '../../harness/engine/subnets.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresBodyField, swallows, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { lookUpMs, unknownDriver } from '../support/unknown-driver.ts';
import { itemsOf, listNetworks } from './support/list-answers.ts';
import { unlessNetworked } from './support/membership.ts';
import { bridged, named, sample, shown } from './support/sample-networks.ts';

const created = fixture('the answer of network create', async ({ use }) =>
  given(Promise.resolve((await use(named)).answer), 201),
);

checkFields(fieldRulesOf('networks.create.field.'), created, {
  Id: { notOn: unlessNetworked },
  Warning: { notOn: unlessNetworked },
});

check('networks.create.answers-201', { faults: [answersStatus(200, 201)] }, async ({ use }) => {
  expect((await use(named)).answer).toHaveStatus(201);
});

check('networks.create.json-media-type', { faults: [answersStatus(415)] }, async ({ use }) => {
  // The Content-Type of a JSON body.
  expect((await use(bridged)).answer).toHaveStatus(201);
});

check(
  'networks.create.unknown-driver-404',
  { long: true, faults: [takesBodyFieldAs('Driver', 'bridge'), answersStatus(500, 404)] },
  async ({ engine, use }) => {
    await control(Promise.resolve((await use(bridged)).answer), 201);
    const unknown = networkBody(engine, { Driver: unknownDriver });
    const answer = await createNetwork(engine, unknown, { takesMs: lookUpMs });
    expect(answer).toHaveStatus(404);
  },
);

check('networks.create.name-missing-refused', { faults: [answersStatus(201)] }, async ({ engine, use }) => {
  await control(Promise.resolve((await use(named)).answer), 201);
  const before = itemsOf(await given(listNetworks(engine), 200)).map(({ Id }) => Id);
  const { Name: _name, ...nameless } = networkBody(engine);
  const answer = await engine.post('/networks/create', { json: nameless });
  const id = answer.status < 300 ? networkIdIn(answer) : undefined;
  if (id !== undefined) engine.made({ kind: 'network', name: id, id, isNew: !before.includes(id) });
  expect(answer).toBeRefused();
});

check('networks.create.duplicate-refused', { faults: [answersStatus(201)] }, async ({ engine }) => {
  const members = { CheckDuplicate: true };
  const body = networkBody(engine, members);
  await control(createNetwork(engine, body), 201);
  expect(await createNetwork(engine, body)).toBeRefused(409);
});

check('networks.create.duplicate-default', { faults: [] }, async ({ engine }) => {
  const body = networkBody(engine);
  await given(createNetwork(engine, body), 201);
  const answer = await createNetwork(engine, body);
  observe(answer.status === 201 ? 'makes another network of that name' : `answers ${answer.status}`, answer);
});

const inspect = 'GET /networks/{id}';

check(
  'networks.create.driver-default-bridge',
  { faults: [on(inspect, setsField('Driver', 'another'))] },
  async ({ use }) => {
    await use(created);
    expect(await given(use(shown), 200))
      .field('Driver')
      .toBe('bridge');
  },
);

check(
  'networks.create.ipam-driver-default',
  { faults: [on(inspect, setsField('IPAM.Driver', 'another'))] },
  async ({ engine }) => {
    const { id } = await makeInSubnet(engine, ({ cidr }) => ({ IPAM: { Config: [{ Subnet: cidr }] } }));
    expect(await given(inspectNetwork(engine, id), 200))
      .field('IPAM.Driver')
      .toBe('default');
  },
);

check(
  'networks.create.usable-by-name',
  { faults: [on(inspect, answersStatus(404)), swallows(201, '{"Id":"ec","Warning":""}')] },
  async ({ engine, use }) => {
    const { name } = await use(named);
    const id = networkIdIn(await use(created)) ?? name;
    for (const answer of [await inspectNetwork(engine, name), await use(shown)]) {
      expect(answer).toHaveStatus(200);
      expect(answer).field('Name').toBe(name);
      expect(answer).field('Id').toBe(id);
    }
  },
);

check('networks.create.id-random', { faults: [setsField('Id', 'ec'.padEnd(64, '0'))] }, async ({ engine }) => {
  const body = networkBody(engine);
  const first = await given(createNetwork(engine, body), 201);
  await given(removeNetwork(engine, String(body.Name)), 204, 200);
  const second = await given(createNetwork(engine, body), 201);
  expectValue('the identifier of the network made again', networkIdIn(second), [first, second]).toDiffer(
    networkIdIn(first),
  );
});

check('networks.create.ipam-not-cidr-refused', { faults: [answersStatus(201)] }, async ({ engine }) => {
  const { subnet } = await makeInSubnet(engine, ipamOf);
  for (const Subnet of [subnet.at(0), 'no subnet']) {
    expect(await createNetwork(engine, networkBody(engine, { IPAM: { Config: [{ Subnet }] } }))).toBeRefused();
  }
});

check(
  'networks.create.ipam-malformed-refused',
  { faults: [ignoresBodyField('IPAM.Config[].IPRange'), ignoresBodyField('IPAM.Config[].Gateway')] },
  async ({ engine, use }) => {
    // This network has well-formed ones.
    await use(sample);
    for (const malformed of [{ IPRange: 'no range' }, { Gateway: 'no address' }]) {
      const { cidr } = nextSubnet(engine.sandbox.run);
      const IPAM = { Config: [{ Subnet: cidr, ...malformed }] };
      expect(await createNetwork(engine, networkBody(engine, { IPAM }))).toBeRefused();
    }
  },
);
