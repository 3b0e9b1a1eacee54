import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { connect, ipamOf, makeInSubnet } from '../../harness/engine/networks.ts';
import { isIPv6Address } from '../../harness/engine/subnets.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { ignoresBodyField } from '../../harness/faults/requests.ts';
import { membershipOf, unlessNetworked } from './support/membership.ts';

/** A container that was connected with an IPv4 address; whether that succeeded is not judged yet. */
const asked = fixture('the answer of networks connect with an address', async ({ engine }) => {
  const network = await makeInSubnet(engine, ipamOf);
  const container = await makeContainer(engine, { state: 'running', network: 'own' });
  const address = network.subnet.at(10);
  const EndpointConfig = { IPAMConfig: { IPv4Address: address } };
  const answer = await connect(engine, network.name, container.id, { EndpointConfig });
  return { network, container, address, answer };
});

const got = fixture('the networks of a container that was connected with an address', async ({ use }) =>
  membershipOf((await use(asked)).container),
);

for (const [id, field] of [
  ['networks.connect.address', 'EndpointConfig'],
  ['networks.connect.body.EndpointConfig', 'EndpointConfig'],
  ['networks.connect.body.EndpointConfig.IPAMConfig', 'EndpointConfig.IPAMConfig'],
  ['networks.connect.body.EndpointConfig.IPAMConfig.IPv4Address', 'EndpointConfig.IPAMConfig.IPv4Address'],
] as const) {
  const faults = [ignoresBodyField(field), answersStatus(400, 200)];
  check(id, { faults, notOn: unlessNetworked }, async ({ use }) => {
    const { network, address, answer } = await use(asked);
    expect(answer).toHaveStatus(200);
    const { inspect, endpoint } = await use(got);
    expectValue('IPAddress on the network', endpoint(network).IPAddress, [inspect]).toBe(address);
  });
}

check(
  'networks.connect.body.EndpointConfig.IPAMConfig.IPv6Address',
  {
    faults: [ignoresBodyField('EndpointConfig.IPAMConfig.IPv6Address'), answersStatus(400, 200)],
    notOn: unlessNetworked,
  },
  async ({ engine }) => {
    const network = await makeInSubnet(engine, ({ cidr, cidr6 }) => ({
      EnableIPv6: true,
      IPAM: { Driver: 'default', Config: [{ Subnet: cidr }, { Subnet: cidr6 }] },
    }));
    const container = await makeContainer(engine, { state: 'running', network: 'own' });
    const asked = network.subnet.at6(0x77);
    const EndpointConfig = { IPAMConfig: { IPv6Address: asked } };
    expect(await connect(engine, network.name, container.id, { EndpointConfig })).toHaveStatus(200);
    const { inspect, endpoint } = await membershipOf(container);
    const found = endpoint(network).GlobalIPv6Address;
    expectValue('GlobalIPv6Address on the network', found, [inspect]).toSatisfy(asked, () =>
      isIPv6Address(found, asked),
    );
  },
);
