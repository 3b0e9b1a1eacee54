import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given } from '../../harness/engine/given.ts';
import { inspectNetwork, makeInSubnet, type Network } from '../../harness/engine/networks.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus, changesJson, listsTwice } from '../../harness/faults/answers.ts';
import { since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { atLeast } from '../../specs/versions.ts';
import { isList } from '../support/known-answer.ts';
import { expectAlike } from '../support/list-and-inspect.ts';
import { ifThere } from '../support/shared-results.ts';
import { itemOf, itemsOf, listNetworks } from './support/list-answers.ts';
import { all, inspected, listed, sample, three } from './support/sample-networks.ts';

check('networks.list.answers-200', { faults: [answersStatus(204, 200)] }, async ({ use }) => {
  const answer = await use(all);
  expect(answer).toHaveStatus(200);
  await isList(answer);
});

/** The identifiers of the containers that a network has in Containers. */
function containersIn(network: JsonValue): string[] {
  return valuesAt(network, 'Containers').flatMap((all) => (isObject(all) ? Object.keys(all).toSorted() : []));
}

async function makeWithContainer(engine: Engine): Promise<Network> {
  const network = await makeInSubnet(engine);
  await makeContainer(engine, { state: 'running', hostConfig: { NetworkMode: network.name } });
  return network;
}

/** The members of a container in Containers. Inspect alone has its name, too. */
const ofContainer = ['EndpointID', 'MacAddress', 'IPv4Address', 'IPv6Address'].map((name) => `Containers{}.${name}`);

check(
  'networks.list.containers',
  { faults: [setsField('Containers', {}), ...ofContainer.map((path) => setsField(path, 'another'))] },
  async ({ use }) => {
    const inspect = await use(inspected);
    const list = await use(listed);
    const ids = containersIn(inspect.json);
    if (ids.length === 0) throw new Blocked('inspect of the network has no container');
    expectValue('the containers of the network in the list', containersIn(list.json), [inspect, list], {
      level: 'should',
    }).toBe(ids);
    expectAlike(ofContainer, { list, item: list.json, inspect });
  },
);

check(
  'networks.list.containers-empty',
  { faults: [setsField('Containers', { another: {} })] },
  async ({ engine, use }) => {
    const network = (await ifThere(use(sample)))?.network ?? (await makeWithContainer(engine));
    const inspected = await given(engine.get(`/networks/${network.id}`), 200);
    // The list can only lack what inspect has.
    if (containersIn(inspected.json).length === 0) throw new Blocked('inspect of the network has no container');
    const answer = await given(listNetworks(engine), 200);
    const told = containersIn(itemOf(answer, network) ?? null);
    expectValue('the containers of the network in the list', told, [inspected, answer]).toBe([]);
  },
);

const dropsMade = changesJson('leaves networks of users out', (list) =>
  Array.isArray(list) ? list.filter((item) => !JSON.stringify(item).includes('"Name":"ec-')) : list,
);
const wraps = changesJson('answers an object', (list) => ({ Networks: list }));

check('networks.list.every-network', { faults: [dropsMade, wraps, listsTwice()] }, async ({ use }) => {
  const made = Object.values(await use(three));
  const answer = await given(use(all), 200);
  expect(answer).json().toSatisfy('a list', Array.isArray);
  const ids = made.map(({ id }) => id);
  const listed = itemsOf(answer)
    .map(({ Id }) => String(Id))
    .filter((id) => ids.includes(id));
  expectValue('the networks of this check in the list', listed.toSorted(), [answer]).toBe(ids.toSorted());
});

/** Members that inspect has as well. That of the containers depends on the version, and Labels are in inspect alone. */
const alike = [
  ...['Name', 'Scope', 'Driver', 'Options', 'EnableIPv6', 'Internal', 'IPAM.Driver'],
  ...['Subnet', 'IPRange', 'Gateway'].map((name) => `IPAM.Config[].${name}`),
];

check(
  'networks.list.as-inspected',
  {
    faults: [
      setsField('Scope', 'another'),
      setsField('IPAM.Driver', 'another'),
      setsField('IPAM.Config[].Subnet', '192.0.2.0/24'),
      since('1.23', setsField('Internal', false)),
    ],
  },
  async ({ engine, api }) => {
    const network = await makeInSubnet(engine, ({ cidr, upperHalf, at }) => ({
      ...(atLeast(api, '1.23') && { Internal: true }),
      IPAM: { Driver: 'default', Config: [{ Subnet: cidr, IPRange: upperHalf, Gateway: at(2) }] },
      Options: { 'ec.option': 'one' },
    }));
    const inspect = await given(inspectNetwork(engine, network.id), 200);
    const list = await given(listNetworks(engine), 200);
    const item = itemOf(list, network);
    if (!item) throw new Blocked('the list does not have a network that inspect shows');
    expectAlike(alike, { list, item, inspect });
  },
);

for (const [name, driver] of [
  ['bridge', 'bridge'],
  ['none', 'null'],
  ['host', 'host'],
] as const) {
  const gone = changesJson(`leaves ${name} out`, (list) =>
    Array.isArray(list) ? list.filter((item) => !JSON.stringify(item).includes(`"Name":"${name}"`)) : list,
  );
  check(`networks.list.predefined-${name}`, { faults: [gone, setsField('Driver', 'another')] }, async ({ use }) => {
    const answer = await given(use(all), 200);
    const drivers = itemsOf(answer).flatMap(({ Name, Driver }) => (Name === name ? [Driver] : []));
    expectValue(`the drivers of the networks named ${name}`, drivers, [answer]).toContain(driver);
  });
}
