import { check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { makeExec } from '../../harness/engine/exec.ts';
import { given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { connect, disconnect, makeNetwork } from '../../harness/engine/networks.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import { type Fault, on } from '../../harness/faults/fault.ts';
import { swallows } from '../../harness/faults/requests.ts';
import { changesFrames } from '../../harness/faults/streams.ts';
import { holdsText } from '../../harness/streams/text.ts';
import { givenNames } from '../containers/support/interfaces.ts';
import { outputOfExec } from '../exec/support/exec-output.ts';
import { membershipOf } from './support/membership.ts';

const port = '8080';

/** What the probe writes when it runs in a container by exec. */
async function seen(engine: Engine, container: Container, run: readonly string[]): Promise<string> {
  return (await outputOfExec(await makeExec(engine, container, { run }))).stdout;
}

/**
 * The network interfaces of a running container, without those that the kernel itself creates, and the evidence for
 * them.
 */
async function interfaces(engine: Engine, container: Container): Promise<{ count: number; evidence: LiveExchange }> {
  const run = ['list', '/sys/class/net'];
  const { stdout, evidence } = await outputOfExec(await makeExec(engine, container, { run }));
  return { count: givenNames(stdout).length, evidence };
}

/** A connection whose packets are silently dropped would be retried for minutes. */
const reachMs = 10_000;

/** Whether a container can read from the address what the probe sends there. */
async function hearsFrom(engine: Engine, container: Container, address: string): Promise<boolean> {
  const exec = await makeExec(engine, container, { run: ['try', 'connect', address, port] });
  const live = await given(exec.start(), 101, 200);
  return live.satisfiesWithin(reachMs, (bytes) => holdsText(bytes, 'probe\n'));
}

/** What a running container sees before, while and after it is connected to a network with another container. */
const view = fixture('what a container sees of a network that it is connected to', async ({ engine }) => {
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
  return { before, during, after, isReached, last };
});

/** exec always shows the same interfaces. */
function seesNoChange(): Fault {
  return on(
    'POST /exec/{id}/start',
    changesFrames('shows the interfaces of before', (frames) =>
      frames.map(({ stream, payload }) => ({ stream, payload: Buffer.from(payload.toString().replace('eth1\n', '')) })),
    ),
  );
}

check('networks.connect.seen-inside', { long: true, faults: [] }, async ({ use }) => {
  const { before, during, after, isReached, last } = await use(view);
  const gained = during.count > before.count ? 'gains an interface' : 'gains no interface';
  const reached = isReached ? 'reaches another container there' : 'does not reach another container there';
  const lost = after.count < during.count ? 'loses the interface when it is disconnected' : 'keeps its interfaces';
  observe(`${gained}; ${reached}; ${lost}`, last);
});

check('networks.connect.interface-inside', { faults: [seesNoChange()] }, async ({ use }) => {
  const { before, during } = await use(view);
  expectValue('the interfaces of the connected container', during.count, [before.evidence, during.evidence], {
    level: 'should',
  }).toBe(before.count + 1);
});

check(
  'networks.disconnect.interface-inside',
  { faults: [on('POST /networks/{id}/disconnect', swallows(200))] },
  async ({ use }) => {
    const { during, after } = await use(view);
    expectValue('the interfaces of the disconnected container', after.count, [during.evidence, after.evidence], {
      level: 'should',
    }).toBe(during.count - 1);
  },
);

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

/** Where a container resolves names, without addresses that differ between hosts. */
function placeOf(resolver: string, gateway: string): string {
  const servers = [...resolver.matchAll(/^nameserver\s+(\S+)/gm)].map(([, server = '']) => server);
  if (servers.length === 0) return 'nowhere';
  if (servers.every((server) => server.startsWith('127.'))) return 'in the container';
  return servers.includes(gateway) ? 'at the gateway of the network' : "one of the host's";
}
