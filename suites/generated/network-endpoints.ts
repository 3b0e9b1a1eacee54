import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { connect, disconnect, makeInSubnet, type Network } from '../../harness/engine/networks.ts';
import type { Subnet } from '../../harness/engine/subnets.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresBodyField, swallows } from '../../harness/faults/requests.ts';
import { distinct, hostnames } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import { plainLinks } from '../containers/support/equivalent-values.ts';
import { membershipOf } from '../networks/support/membership.ts';
import { createJudged } from './support/judged-create.ts';

/** The gateway of the network, and the range for addresses that containers do not ask for. */
const ipamOf = ({ cidr, at, upperHalf }: Subnet) => ({
  IPAM: { Driver: 'default', Config: [{ Subnet: cidr, Gateway: at(1), IPRange: upperHalf }] },
});

/** Places in the subnet that no one else takes. */
const places = fc.integer({ min: 2, max: 7 });

const values = fc.noBias(
  fc.record({
    place: fc.option(places),
    aliases: distinct(hostnames),
    links: distinct(hostnames),
    changes: fc.array(fc.oneof(fc.constant('restart' as const), places), { minLength: 1, maxLength: 2 }),
  }),
);

const creates = 'POST /containers/create';
const inspects = 'GET /containers/{id}/json';
const endpoints = 'NetworkingConfig.EndpointsConfig{}';
const shown = 'NetworkSettings.Networks{}';

check(
  'generated.inputs.network-endpoints',
  {
    faults: [
      on(creates, ignoresBodyField(`${endpoints}.Aliases`)),
      on(creates, ignoresBodyField(`${endpoints}.IPAMConfig`)),
      on(inspects, setsField(`${shown}.IPAMConfig`, null)),
      on(inspects, setsField(`${shown}.Links`, null)),
      on('POST /networks/{id}/connect', ignoresBodyField('EndpointConfig')),
      on('POST /networks/{id}/disconnect', swallows(200)),
    ],
  },
  (context) =>
    forAll(context, values, { runs: 3 }, async ({ place, aliases, links, changes }, trial) => {
      const { engine } = trial;
      trial.step('makes a network');
      const network = await makeInSubnet(engine, ipamOf);
      const onNetwork = { NetworkMode: network.name };
      if (links.length > 0) trial.step('makes the container a on it');
      const a = links.length > 0 && (await makeContainer(engine, { state: 'running', hostConfig: onNetwork }));
      let asked: Asked = {
        ...(place !== null && { address: network.subnet.at(place) }),
        aliases,
        links: a ? links.map((alias) => `${a.name}:${alias}`) : [],
      };
      trial.step(`makes the container b on it with ${inWords(place, aliases, links)}`);
      const EndpointsConfig = { [network.name]: endpointOf(asked) };
      const b = await createJudged(trial, { hostConfig: onNetwork, config: { NetworkingConfig: { EndpointsConfig } } });
      if (!b) return;
      const started = await b.start();
      await trial.decides('containers.start.answers-204', () => expect(started).toHaveStatus(204));
      if (started.status !== 204) return;
      await judgeEndpoint(trial, b, network, asked);
      for (const next of changes) {
        if (next === 'restart') {
          trial.step('restarts b');
          const restarted = await b.restart({ t: 0 });
          await trial.decides('containers.restart.answers-204', () => expect(restarted).toHaveStatus(204));
        } else {
          trial.step(`takes b off the network, and puts it there again with the address ${next}`);
          asked = { connected: network.subnet.at(next), aliases: [], links: [] };
          await reconnect(trial, b, network, network.subnet.at(next));
        }
        await judgeEndpoint(trial, b, network, asked);
      }
    }),
);

/** What is asked of the network, at create or when connecting again. */
interface Asked {
  readonly address?: string;
  readonly connected?: string;
  readonly aliases: readonly string[];
  readonly links: readonly string[];
}

function inWords(place: number | null, aliases: readonly string[], links: readonly string[]): string {
  const parts = [
    ...(place === null ? [] : [`the address ${place}`]),
    ...(aliases.length > 0 ? [`the aliases ${aliases.join(', ')}`] : []),
    ...links.map((alias) => `a link to a as ${alias}`),
  ];
  return parts.join(', ') || 'nothing special';
}

/** An item of EndpointsConfig (Document 1, Container configuration), with only what is asked for. */
function endpointOf({ address, aliases, links }: Asked): object {
  return {
    ...(address !== undefined && { IPAMConfig: { IPv4Address: address } }),
    ...(aliases.length > 0 && { Aliases: aliases }),
    ...(links.length > 0 && { Links: links }),
  };
}

/** Disconnects a container from the network, and connects it again with an address. */
async function reconnect(trial: Trial, { id }: Container, { name }: Network, address: string): Promise<void> {
  const { engine } = trial;
  const left = await disconnect(engine, name, id);
  await trial.decides('networks.disconnect.answers-200', () => expect(left).toHaveStatus(200));
  const EndpointConfig = { IPAMConfig: { IPv4Address: address } };
  const joined = await connect(engine, name, id, { EndpointConfig });
  await trial.decides('networks.connect.answers-200', () => expect(joined).toHaveStatus(200));
}

/** Judges what inspect shows of a running container on the network. */
async function judgeEndpoint(
  trial: Trial,
  container: Container,
  network: Network,
  { address, connected, aliases, links }: Asked,
): Promise<void> {
  const { inspect, endpoint } = await membershipOf(container);
  const { IPAddress, IPAMConfig, Aliases, Links } = endpoint(network);
  if (address !== undefined) {
    await trial.decides('containers.create.config.network-address', () =>
      expectValue('IPAddress on the network', IPAddress, [inspect]).toBe(address),
    );
    await trial.decides('containers.inspect.field.NetworkSettings.Networks{}.IPAMConfig', () =>
      expectValue('IPv4Address of IPAMConfig on the network', Object(IPAMConfig).IPv4Address, [inspect]).toBe(address),
    );
  }
  if (connected !== undefined) {
    await trial.decides('networks.connect.address', () =>
      expectValue('IPAddress on the network', IPAddress, [inspect]).toBe(connected),
    );
  }
  for (const alias of aliases) {
    await trial.decides('containers.create.config.network-aliases', () =>
      expectValue('Aliases on the network', Aliases, [inspect]).toContain(alias),
    );
  }
  if (links.length === 0) return;
  await trial.decides('containers.inspect.field.NetworkSettings.Networks{}.Links', () =>
    expectValue('Links on the network', plainLinks(Links ?? null), [inspect]).toBe(plainLinks([...links])),
  );
}
