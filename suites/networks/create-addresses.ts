import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { makeInSubnet } from '../../harness/engine/networks.ts';
import { outputWith } from '../../harness/engine/output.ts';
import { isInSubnet, type Subnet } from '../../harness/engine/subnets.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { ignoresBodyField } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { type Membership, membershipOf } from './support/membership.ts';

/** What a container gets on a network that was created with one item of IPAM.Config. */
async function endpointWith(
  engine: Engine,
  config: (subnet: Subnet) => Readonly<Record<string, string>>,
): Promise<{ endpoint: ReturnType<Membership['endpoint']>; subnet: Subnet; inspect: Membership['inspect'] }> {
  const network = await makeInSubnet(engine, (subnet) => ({ IPAM: { Driver: 'default', Config: [config(subnet)] } }));
  const container = await makeContainer(engine, { state: 'running', hostConfig: { NetworkMode: network.name } });
  const { inspect, endpoint } = await membershipOf(container);
  return { endpoint: endpoint(network), subnet: network.subnet, inspect };
}

function isIn(address: JsonValue | undefined, cidr: string): boolean {
  return typeof address === 'string' && isInSubnet(address, cidr);
}

check('networks.create.ipam-subnet', { faults: [ignoresBodyField('IPAM')] }, async ({ engine }) => {
  const { endpoint, subnet, inspect } = await endpointWith(engine, ({ cidr }) => ({ Subnet: cidr }));
  expectValue('IPAddress on the network', endpoint.IPAddress, [inspect]).toSatisfy(`an address in ${subnet.cidr}`, () =>
    isIn(endpoint.IPAddress, subnet.cidr),
  );
});

check('networks.create.ipam-range', { faults: [ignoresBodyField('IPAM.Config[].IPRange')] }, async ({ engine }) => {
  const { endpoint, subnet, inspect } = await endpointWith(engine, ({ cidr, upperHalf }) => ({
    Subnet: cidr,
    IPRange: upperHalf,
  }));
  expectValue('IPAddress on the network', endpoint.IPAddress, [inspect]).toSatisfy(
    `an address in ${subnet.upperHalf}`,
    () => isIn(endpoint.IPAddress, subnet.upperHalf),
  );
});

check('networks.create.ipam-gateway', { faults: [ignoresBodyField('IPAM.Config[].Gateway')] }, async ({ engine }) => {
  const { endpoint, subnet, inspect } = await endpointWith(engine, ({ cidr, at }) => ({
    Subnet: cidr,
    Gateway: at(9),
  }));
  expectValue('Gateway on the network', endpoint.Gateway, [inspect]).toBe(subnet.at(9));
});

/** The default route in a text like `/proc/net/route`, whose addresses are hexadecimal with the last byte first. */
function defaultRoute(table: string): string | undefined {
  const [, gateway = ''] = /^\S+\s+00000000\s+([0-9A-Fa-f]{8})\b/m.exec(table) ?? [];
  return gateway === '' ? undefined : [...Buffer.from(gateway, 'hex')].reverse().join('.');
}

check('networks.create.gateway-inside', { faults: [ignoresBodyField('IPAM.Config[].Gateway')] }, async ({ engine }) => {
  const { name, subnet } = await makeInSubnet(engine, ({ cidr, at }) => ({
    IPAM: { Driver: 'default', Config: [{ Subnet: cidr, Gateway: at(9) }] },
  }));
  const hostConfig = { NetworkMode: name };
  const { stdout, evidence } = await outputWith(engine, { run: ['read', '/proc/net/route'], hostConfig });
  expectValue('the default route of the container', defaultRoute(stdout), [evidence], { level: 'should' }).toBe(
    subnet.at(9),
  );
});
