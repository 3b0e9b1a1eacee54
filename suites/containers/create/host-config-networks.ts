import { isDeepStrictEqual } from 'node:util';
import { check, checkRule, fixture } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { makeInSubnet } from '../../../harness/engine/networks.ts';
import { isIPv6Address } from '../../../harness/engine/subnets.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { expectField } from '../../../harness/expect/field-rule.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { on } from '../../../harness/faults/fault.ts';
import { fieldFaults, setsField } from '../../../harness/faults/fields.ts';
import { ignoresBodyField } from '../../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import type { Target } from '../../../harness/target/target.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';
import { type ApiVersion, atLeast } from '../../../specs/versions.ts';
import { membershipOf, unlessNetworked } from '../../networks/support/membership.ts';
import { fieldRule, fieldRulesOf } from '../../support/field-checks.ts';
import { anotherTime, ifRight, ifThere, itself } from '../../support/shared-results.ts';
import { itemOf, list } from '../support/list-answers.ts';
import { onBridge } from './host-config-ports.ts';

/** A network of the check's own, with an address for a container on it. */
async function networkWithAddress(engine: Engine): Promise<{ name: string; address: string }> {
  const { name, subnet } = await makeInSubnet(engine);
  return { name, address: subnet.at(10) };
}

/** The names of the networks that a container has joined. */
function networksIn(inspect: Exchange): unknown {
  const [networks] = valuesAt(inspect.json, 'NetworkSettings.Networks');
  return isObject(networks) ? Object.keys(networks) : networks;
}

/** A network, and what a container on it says of its networks. */
interface Joined {
  readonly name: string;
  readonly inspect: Exchange;
}

async function joined(engine: Engine): Promise<Joined> {
  const { name } = await networkWithAddress(engine);
  const container = await makeContainer(engine, { hostConfig: { NetworkMode: name }, state: 'running' });
  return { name, inspect: await given(container.inspect(), 200) };
}

check(
  'containers.create.host-config.network-custom',
  { faults: [ignoresBodyField('HostConfig.NetworkMode')] },
  async ({ engine, use }) => {
    const shared = (await ifThere(use(networked)))?.other;
    const isRight = (one: Joined) => isDeepStrictEqual(networksIn(one.inspect), [one.name]);
    const { name, inspect } = ifRight(shared, isRight, anotherTime, (one) => one.inspect) ?? (await joined(engine));
    expectValue('the networks of the container', networksIn(inspect), [inspect]).toBe([name]);
  },
);

check(
  'containers.create.host-config.network-bridge-named',
  { faults: [on('GET /containers/{id}/json', setsField('NetworkSettings.Networks', { other: {} }))] },
  async ({ engine, use }) => {
    const shared = await ifThere(use(onBridge));
    const alone = async () => {
      const container = await makeContainer(engine, { hostConfig: { NetworkMode: 'bridge' }, state: 'running' });
      return given(container.inspect(), 200);
    };
    const isRight = (one: Exchange) => isDeepStrictEqual(networksIn(one), ['bridge']);
    const inspect = ifRight(shared, isRight, anotherTime, itself) ?? (await alone());
    expectValue('the networks of the container', networksIn(inspect), [inspect]).toBe(['bridge']);
  },
);

/** Before 1.23 no request sets what a container is on a network. */
function setsEndpoints(api: ApiVersion): boolean {
  return atLeast(api, '1.23');
}

/** A running container on a network of its own, with a link, an alias and an address there where create takes them. */
const networked = fixture('a container with a link, an alias and an address on a network', async ({ engine, api }) => {
  const { name, address } = await networkWithAddress(engine);
  const other = await makeContainer(engine, { hostConfig: { NetworkMode: name }, state: 'running' });
  const inspect = await given(other.inspect(), 200);
  const settings = {
    IPAMConfig: { IPv4Address: address },
    Links: [`${other.name}:ec-link`],
    Aliases: ['ec-alias'],
  };
  const container = await makeContainer(engine, {
    state: 'running',
    hostConfig: { NetworkMode: name },
    ...(setsEndpoints(api) && { config: { NetworkingConfig: { EndpointsConfig: { [name]: settings } } } }),
  });
  return { container, name, address, other: { name, inspect } };
});

const inspected = fixture('its inspect answer', async ({ use }) => {
  const { container, name, address } = await use(networked);
  const inspect = await given(container.inspect(), 200);
  const [networks] = valuesAt(inspect.json, 'NetworkSettings.Networks');
  const found = isObject(networks) && isObject(networks[name]) ? networks[name] : {};
  return { inspect, address, found };
});

const listed = fixture('its item in the list', async ({ engine, use }) => {
  const { container } = await use(networked);
  const answer = await given(list(engine), 200);
  const item = itemOf(answer, container);
  if (!item) throw new Blocked('the list does not have a container that runs');
  return answer.narrowedTo(item);
});

check(
  'containers.list.networks-by-name',
  { faults: [setsField('NetworkSettings.Networks', { eth0: {} })] },
  async ({ use }) => {
    const { name } = await use(networked);
    const item = await use(listed);
    const [networks] = valuesAt(item.json, 'NetworkSettings.Networks');
    expectValue('the networks of the container', isObject(networks) ? Object.keys(networks) : networks, [item]).toBe([
      name,
    ]);
  },
);

check(
  'containers.inspect.network-id',
  { faults: [setsField('NetworkSettings.Networks{}.NetworkID', '0'.repeat(64))] },
  async ({ engine, use }) => {
    const { name } = await use(networked);
    const { inspect, found } = await use(inspected);
    const network = await given(engine.get(`/networks/${name}`), 200);
    expectValue('NetworkID', found.NetworkID, [inspect]).toBe(valuesAt(network.json, 'Id')[0]);
  },
);

const settable = (_target: Target, api: ApiVersion) =>
  setsEndpoints(api) ? undefined : `in ${api} no request sets it`;

for (const member of ['IPAMConfig', 'Links', 'Aliases'] as const) {
  for (const [prefix, answer] of [
    ['containers.inspect', fixture('its inspect answer', async ({ use }) => (await use(inspected)).inspect)],
    ['containers.list', listed],
  ] as const) {
    const rule = fieldRule(`${prefix}.field.NetworkSettings.Networks{}.${member}`);
    const faults = fieldFaults(rule.field.path, rule.field.schema);
    checkRule(rule, { faults, notOn: settable }, async ({ use }) => {
      expectField(await use(answer), rule, { set: true });
    });
  }
}

check(
  'containers.create.config.network-aliases',
  { faults: [ignoresBodyField('NetworkingConfig.EndpointsConfig{}.Aliases')] },
  async ({ use }) => {
    const { inspect, found } = await use(inspected);
    expectValue('Aliases on the network', found.Aliases, [inspect]).toContain('ec-alias');
  },
);

check(
  'containers.inspect.given-aliases',
  { faults: [setsField('NetworkSettings.Networks{}.Aliases', ['ec-alias', '0123456789ab'])] },
  async ({ use }) => {
    const { inspect, found } = await use(inspected);
    expectValue('Aliases on the network', found.Aliases, [inspect]).toBe(['ec-alias']);
  },
);

check(
  'containers.inspect.identifier-as-alias',
  { faults: [setsField('NetworkSettings.Networks{}.Aliases', ['ec-alias'])] },
  async ({ use }) => {
    const { inspect, found } = await use(inspected);
    const id = String(valuesAt(inspect.json, 'Id')[0]);
    expectValue('Aliases on the network', found.Aliases, [inspect]).toSatisfy(
      'one that the identifier begins with',
      () => [found.Aliases].flat().some((alias) => typeof alias === 'string' && alias !== '' && id.startsWith(alias)),
    );
  },
);

check(
  'containers.create.config.networks-several-refused',
  { faults: [answersStatus(201)] },
  async ({ engine, use }) => {
    // It was made with one network, which is the control.
    const { name } = await use(networked);
    const body = createBody(engine, {
      hostConfig: { NetworkMode: name },
      config: { NetworkingConfig: { EndpointsConfig: { [name]: {}, bridge: {} } } },
    });
    expect(await create(engine, body)).toBeRefused();
  },
);

check(
  'containers.create.config.networks-several',
  { faults: [answersStatus(400, 201), ignoresBodyField('NetworkingConfig')] },
  async ({ engine }) => {
    const [first, second] = [await makeInSubnet(engine), await makeInSubnet(engine)];
    const EndpointsConfig = { [first.name]: {}, [second.name]: {} };
    const body = createBody(engine, {
      hostConfig: { NetworkMode: first.name },
      config: { NetworkingConfig: { EndpointsConfig } },
    });
    const created = await create(engine, body);
    expect(created).toHaveStatus(201);
    const container = new Container(engine, String(valuesAt(created.json, 'Id')[0]), '');
    await given(container.start(), 204);
    const inspect = await given(container.inspect(), 200);
    const [networks] = valuesAt(inspect.json, 'NetworkSettings.Networks');
    const names = isObject(networks) ? Object.keys(networks).toSorted() : networks;
    expectValue('the networks of the container', names, [created, inspect]).toBe([first.name, second.name].toSorted());
  },
);

check(
  'containers.create.config.network-address',
  { faults: [ignoresBodyField('NetworkingConfig.EndpointsConfig{}.IPAMConfig')] },
  async ({ use }) => {
    const { inspect, found, address } = await use(inspected);
    expectValue('IPAddress on the network', found.IPAddress, [inspect]).toBe(address);
  },
);

/** It has every member at once, whichever rule is about one of them. */
const withMembers = fixture('the answer of create with all members of NetworkingConfig', async ({ engine }) => {
  const { name, address } = await networkWithAddress(engine);
  const members = {
    IPAMConfig: { IPv4Address: address },
    Links: [],
    Aliases: ['ec-alias'],
  };
  const config = { NetworkingConfig: { EndpointsConfig: { [name]: members } } };
  return create(engine, createBody(engine, { config, hostConfig: { NetworkMode: name } }));
});

// Every member of NetworkingConfig is accepted; what Aliases and IPv4Address do is judged by the rules above.
for (const rule of fieldRulesOf('containers.create.body.NetworkingConfig')) {
  // Its effect is judged below.
  if (rule.field.path.endsWith('IPv6Address')) continue;
  checkRule(rule, { faults: [answersStatus(400, 201)] }, async ({ use }) => {
    const answer = await use(withMembers);
    expectValue('the status of create', answer.status, [answer]).toBe(201);
  });
}

const sixth = 'NetworkingConfig.EndpointsConfig{}.IPAMConfig.IPv6Address';

check(
  `containers.create.body.${sixth}`,
  { faults: [answersStatus(400, 201), ignoresBodyField(sixth)], notOn: unlessNetworked },
  async ({ engine }) => {
    const { name, subnet } = await makeInSubnet(engine, ({ cidr, cidr6 }) => ({
      EnableIPv6: true,
      IPAM: { Driver: 'default', Config: [{ Subnet: cidr }, { Subnet: cidr6 }] },
    }));
    const asked = subnet.at6(0x77);
    const config = { NetworkingConfig: { EndpointsConfig: { [name]: { IPAMConfig: { IPv6Address: asked } } } } };
    const answer = await create(engine, createBody(engine, { config, hostConfig: { NetworkMode: name } }));
    expect(answer).toHaveStatus(201);
    const container = new Container(engine, String(valuesAt(answer.json, 'Id')[0]), '');
    await given(container.start(), 204);
    const { inspect, endpoint } = await membershipOf(container);
    const found = endpoint({ id: '', name }).GlobalIPv6Address;
    expectValue('GlobalIPv6Address on the network', found, [answer, inspect]).toSatisfy(asked, () =>
      isIPv6Address(found, asked),
    );
  },
);
