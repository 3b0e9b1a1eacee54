import { fixture } from '../../../harness/check.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import {
  createNetwork,
  inspectNetwork,
  makeInSubnet,
  makeNetwork,
  networkBody,
  networkIdIn,
} from '../../../harness/engine/networks.ts';
import type { Subnet } from '../../../harness/engine/subnets.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject } from '../../../harness/streams/json-path.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';
import { atLeast } from '../../../specs/versions.ts';
import { ifThere } from '../../support/shared-results.ts';
import { itemOf, listNetworks } from './list-answers.ts';
import { membershipOf } from './membership.ts';

/** A network that was created with every field of the IPAM configuration and has a container on it. */
export const sample = fixture('a network with a container on it', async ({ engine, api }) => {
  const network = await makeInSubnet(engine, ({ cidr, upperHalf, at }) => ({
    Driver: 'bridge',
    IPAM: {
      Driver: 'default',
      Config: [{ Subnet: cidr, IPRange: upperHalf, Gateway: at(2) }],
      ...(atLeast(api, '1.23') && { Options: { 'ec.option': 'one' } }),
    },
  }));
  const container = await makeContainer(engine, { state: 'running', hostConfig: { NetworkMode: network.name } });
  return { network, container };
});

/** The networks of that container. */
export const sampleMembership = fixture('the networks of the container on it', async ({ use }) =>
  membershipOf((await use(sample)).container),
);

export const inspected = fixture('its inspect answer', async ({ engine, use }) => {
  const { network } = await use(sample);
  const answer = await given(inspectNetwork(engine, network.id), 200);
  return answer.narrowedTo(withOwnSubnet(answer.json, network.subnet));
});

export const listed = fixture('its item in the list', async ({ engine, use }) => {
  const { network } = await use(sample);
  const answer = await given(listNetworks(engine), 200);
  const item = itemOf(answer, network);
  if (!item) throw new Blocked('the list does not have a network that inspect shows');
  return answer.narrowedTo(withOwnSubnet(item, network.subnet));
});

/** A network without the subnets that nobody asked for: an engine may give it further ones, with other members. */
function withOwnSubnet(network: JsonValue, { cidr }: Subnet): JsonValue {
  if (!isObject(network) || !isObject(network.IPAM) || !Array.isArray(network.IPAM.Config)) return network;
  const Config = network.IPAM.Config.filter((item) => isObject(item) && item.Subnet === cidr);
  return Config.length === 0 ? network : { ...network, IPAM: { ...network.IPAM, Config } };
}

interface Created {
  readonly name: string;
  /** Whether create succeeded is not judged yet. */
  readonly answer: Exchange;
}

async function createdWith(engine: Engine, members: Readonly<Record<string, unknown>>): Promise<Created> {
  const body = networkBody(engine, members);
  return { name: String(body.Name), answer: await createNetwork(engine, body) };
}

function shownBy(engine: Engine, { name, answer }: Created): Promise<Exchange> {
  return inspectNetwork(engine, networkIdIn(answer) ?? name);
}

/** A network that is only read, like all of these. */
export const named = fixture('a network that was created with a name alone', ({ engine }) => createdWith(engine, {}));

/** Whether inspect succeeds is not judged yet, here and below. */
export const shown = fixture('the inspect answer of a network that was created with a name alone', async (context) =>
  shownBy(context.engine, await context.use(named)),
);

export const bridged = fixture('a network that was created with the driver bridge', ({ engine }) =>
  createdWith(engine, { Driver: 'bridge' }),
);

export const bridgedShown = fixture('the inspect answer of a network with the driver bridge', async (context) =>
  shownBy(context.engine, await context.use(bridged)),
);

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

/** Whether it succeeds is not judged yet. The three networks are in it where they can be made. */
export const all = fixture('the list of all networks', async ({ engine, use }) => {
  await ifThere(use(three));
  return listNetworks(engine);
});

/** A network that checks connect their own containers to; none looks at the containers of the others. */
export const joined = fixture('a network for containers to join', ({ engine }) => makeNetwork(engine), {
  allVersions: (made) => made,
});
