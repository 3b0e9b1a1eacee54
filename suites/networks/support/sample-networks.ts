import { fixture } from '../../../harness/check.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import { given } from '../../../harness/engine/given.ts';
import { inspectNetwork, makeInSubnet, makeNetwork } from '../../../harness/engine/networks.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';
import { atLeast } from '../../../specs/versions.ts';
import { itemOf, listNetworks } from './list-answers.ts';

/** A network that was created with every field of the IPAM configuration and has a container on it. */
const sample = fixture('a network with a container on it', async ({ engine, api }) => {
  const network = await makeInSubnet(engine, ({ cidr, upperHalf, at }) => ({
    Driver: 'bridge',
    IPAM: {
      Driver: 'default',
      Config: [{ Subnet: cidr, IPRange: upperHalf, Gateway: at(2) }],
      ...(atLeast(api, '1.23') && { Options: { 'ec.option': 'one' } }),
    },
  }));
  await makeContainer(engine, { state: 'running', hostConfig: { NetworkMode: network.name } });
  return network;
});

export const inspected = fixture('its inspect answer', async ({ engine, use }) =>
  given(inspectNetwork(engine, (await use(sample)).id), 200),
);

export const listed = fixture('its item in the list', async ({ engine, use }) => {
  const network = await use(sample);
  const answer = await given(listNetworks(engine), 200);
  const item = itemOf(answer, network);
  if (!item) throw new Blocked('the list does not have a network that inspect shows');
  return answer.narrowedTo(item);
});

/** Networks that are only read. No name is part of another's, and each has a different end. */
export const three = fixture(
  'three networks',
  async ({ engine }) => {
    const named = (end: string) => {
      const Name = `${engine.name('network')}-${end}`;
      engine.sandbox.note('network', Name);
      return makeNetwork(engine, { Name });
    };
    return { front: await named('front'), back: await named('back'), other: await named('other') };
  },
  { allVersions: (made) => made },
);

/** A network that checks connect their own containers to; none looks at the containers of the others. */
export const joined = fixture('a network for containers to join', ({ engine }) => makeNetwork(engine), {
  allVersions: (made) => made,
});
