import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { makeExec } from '../../harness/engine/exec.ts';
import { given } from '../../harness/engine/given.ts';
import { connect, disconnect, makeNetwork } from '../../harness/engine/networks.ts';
import { observe } from '../../harness/expect/expect.ts';
import { holdsText } from '../../harness/streams/text.ts';
import { outputOfExec } from '../exec/ran.ts';
import { membershipOf } from './on-network.ts';

const port = '8080';

/** What the probe writes when it runs by exec in a container. */
async function seen(engine: Engine, container: Container, run: readonly string[]): Promise<string> {
  return (await outputOfExec(await makeExec(engine, container, { run }))).stdout;
}

async function interfaces(engine: Engine, container: Container): Promise<number> {
  return (await seen(engine, container, ['list', '/sys/class/net'])).split('\n').length;
}

/** A connection that a packet filter swallows would be tried for minutes. */
const reachMs = 10_000;

/** Whether a container reads from the address what the probe sends there. */
async function hearsFrom(engine: Engine, container: Container, address: string): Promise<boolean> {
  const exec = await makeExec(engine, container, { run: ['try', 'connect', address, port] });
  const live = await given(exec.start(), 101, 200);
  return live.satisfiesWithin(reachMs, (bytes) => holdsText(bytes, 'probe\n'));
}

check('networks.connect.seen-inside', { long: true, faults: [] }, async ({ engine }) => {
  const network = await makeNetwork(engine);
  const other = await makeContainer(engine, {
    run: ['out', 'ready\\n', 'listen', port],
    state: 'running',
    hostConfig: { NetworkMode: network.name },
  });
  const container = await makeContainer(engine, { state: 'running', network: 'own' });
  const before = await interfaces(engine, container);
  await given(connect(engine, network.name, container.id), 200);
  const during = await interfaces(engine, container);
  const address = String((await membershipOf(other)).endpoint(network).IPAddress ?? '');
  await other.hasWritten('ready');
  const isReached = await hearsFrom(engine, container, address);
  const last = await given(disconnect(engine, network.name, container.id), 200);
  const after = await interfaces(engine, container);
  const gained = during > before ? 'gains an interface' : 'gains no interface';
  const reached = isReached ? 'reaches another container there' : 'does not reach another container there';
  const lost = after < during ? 'loses the interface when it is disconnected' : 'keeps its interfaces';
  observe(`${gained}; ${reached}; ${lost}`, last);
});

check('networks.connect.names-inside', { faults: [] }, async ({ engine }) => {
  const network = await makeNetwork(engine);
  const onNetwork = (settings: Readonly<Record<string, unknown>>) => ({
    state: 'running' as const,
    hostConfig: { NetworkMode: network.name },
    config: { NetworkingConfig: { EndpointsConfig: { [network.name]: settings } } },
  });
  const other = await makeContainer(engine, onNetwork({ Aliases: ['ec-alias'] }));
  const container = await makeContainer(engine, onNetwork({ Links: [`${other.name}:ec-link`], Aliases: ['ec-own'] }));
  const hosts = await seen(engine, container, ['read', '/etc/hosts']);
  const resolver = await seen(engine, container, ['read', '/etc/resolv.conf']);
  const has = (name: string, what: string) => `${what} ${hosts.includes(name) ? 'is' : 'is not'} in the hosts file`;
  const { inspect, endpoint } = await membershipOf(container);
  observe(
    [
      has('ec-link', 'a link'),
      has('ec-alias', "another container's alias"),
      has('ec-own', 'its own alias'),
      `the resolver is ${placeOf(resolver, String(endpoint(network).Gateway ?? ''))}`,
    ].join('; '),
    inspect,
  );
});

/** Where a container asks for names, without addresses that differ from host to host. */
function placeOf(resolver: string, gateway: string): string {
  const servers = [...resolver.matchAll(/^nameserver\s+(\S+)/gm)].map(([, server = '']) => server);
  if (servers.length === 0) return 'nowhere';
  if (servers.every((server) => server.startsWith('127.'))) return 'in the container';
  return servers.includes(gateway) ? 'at the gateway of the network' : "one of the host's";
}
