import { type CheckContext, check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { makeInSubnet, type Network } from '../../harness/engine/networks.ts';
import { outputWith } from '../../harness/engine/output.ts';
import { isInSubnet, type Subnet } from '../../harness/engine/subnets.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { ignoresBodyField } from '../../harness/faults/requests.ts';
import { ifRight, ifThere } from '../support/shared-results.ts';
import { type Membership, membershipOf } from './support/membership.ts';
import { sample, sampleMembership } from './support/sample-networks.ts';

/** What a container gets on a network. */
interface Placed {
  readonly endpoint: ReturnType<Membership['endpoint']>;
  readonly subnet: Subnet;
  readonly inspect: Membership['inspect'];
}

function placeOf(network: Network & { subnet: Subnet }, { inspect, endpoint }: Membership): Placed {
  return { endpoint: endpoint(network), subnet: network.subnet, inspect };
}

const together = fixture('what a container gets on a network with a subnet, a range and a gateway', async ({ use }) => {
  const { network } = await use(sample);
  return placeOf(network, await use(sampleMembership));
});

/**
 * What a container gets on a network that was created with one item of IPAM.Config. An unexpected result of all members
 * together may be caused by another one.
 */
async function placedWith(
  { engine, use }: CheckContext,
  config: (subnet: Subnet) => Readonly<Record<string, string>>,
  isRight: (placed: Placed) => boolean,
): Promise<Placed> {
  const shared = ifRight(
    await ifThere(use(together)),
    isRight,
    'with all members of the item',
    ({ inspect }) => inspect,
  );
  if (shared) return shared;
  const network = await makeInSubnet(engine, (subnet) => ({ IPAM: { Driver: 'default', Config: [config(subnet)] } }));
  const container = await makeContainer(engine, { state: 'running', hostConfig: { NetworkMode: network.name } });
  return placeOf(network, await membershipOf(container));
}

for (const [id, ignored, part, config] of [
  ['networks.create.ipam-subnet', 'IPAM', 'cidr', ({ cidr }: Subnet) => ({ Subnet: cidr })],
  [
    'networks.create.ipam-range',
    'IPAM.Config[].IPRange',
    'upperHalf',
    ({ cidr, upperHalf }: Subnet) => ({ Subnet: cidr, IPRange: upperHalf }),
  ],
] as const) {
  const isIn = ({ endpoint: { IPAddress }, subnet }: Placed) =>
    typeof IPAddress === 'string' && isInSubnet(IPAddress, subnet[part]);
  check(id, { faults: [ignoresBodyField(ignored)] }, async (context) => {
    const placed = await placedWith(context, config, isIn);
    const { endpoint, subnet, inspect } = placed;
    expectValue('IPAddress on the network', endpoint.IPAddress, [inspect]).toSatisfy(
      `an address in ${subnet[part]}`,
      () => isIn(placed),
    );
  });
}

check('networks.create.ipam-gateway', { faults: [ignoresBodyField('IPAM.Config[].Gateway')] }, async (context) => {
  const { endpoint, subnet, inspect } = await placedWith(
    context,
    ({ cidr, at }) => ({ Subnet: cidr, Gateway: at(2) }),
    (placed) => placed.endpoint.Gateway === placed.subnet.at(2),
  );
  expectValue('Gateway on the network', endpoint.Gateway, [inspect]).toBe(subnet.at(2));
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
