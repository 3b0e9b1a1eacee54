import { randomInt } from 'node:crypto';
import net from 'node:net';
import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { type ContainerOutput, outputWith } from '../../../harness/engine/output.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { answersStatus, changesJson } from '../../../harness/faults/answers.ts';
import { alike, type Fault, on } from '../../../harness/faults/fault.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import { changesBodyField, ignoresBodyField, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { parseJson, writeJson } from '../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import { NotApplicable } from '../../../harness/verdict/outcomes.ts';
import { idle, useCommon } from '../../support/common-containers.ts';
import { bridged, onHost } from '../support/created-together.ts';
import { ifThere, type ShownSetting } from '../support/tried-together.ts';

/**
 * Below the range from which hosts and engines choose, so that a port that was found free is not given away before it
 * is used.
 */
const firstPort = 20_000;
const portCount = 8_000;
const handedOut = new Set<number>();

/** A port that nothing on this machine uses right now and no other check gets. */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < portCount; tries++) {
    const port = firstPort + randomInt(portCount);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error('no port of this machine is free');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/** The host ports that inspect shows for a port of a running container. */
function hostPorts(inspect: Exchange, port: string): unknown[] {
  const [ports] = valuesAt(inspect.json, 'NetworkSettings.Ports');
  const bindings = isObject(ports) ? ports[port] : undefined;
  return (Array.isArray(bindings) ? bindings : []).map((binding) => (isObject(binding) ? binding.HostPort : binding));
}

type Members = Readonly<Record<string, unknown>>;

const exposed = { ExposedPorts: { '8080/tcp': {}, '8081/tcp': {} } };

async function published(engine: Engine, config: Members, hostConfig: Members): Promise<Exchange> {
  const run = ['out', 'ready\\n', 'listen', '8080'];
  const container = await makeContainer(engine, { run, config, hostConfig, state: 'running' });
  await container.hasWritten('ready');
  return given(container.inspect(), 200);
}

/** Running containers that publish ports of each kind, and one that does not. */
const publishing = fixture('containers with published ports', async ({ engine }) => {
  const [tcp, udp] = [String(await freePort()), String(await freePort())];
  const [some, all] = await Promise.all([
    published(
      engine,
      { ExposedPorts: { '8080/tcp': {}, '8080/udp': {}, '8081/tcp': {} } },
      {
        NetworkMode: 'bridge',
        PortBindings: { '8080/tcp': [{ HostPort: tcp }], '8080/udp': [{ HostPort: udp }] },
      },
    ),
    published(engine, exposed, { PublishAllPorts: true }),
  ]);
  return { tcp, udp, some, all };
});

/** The networks of a running container on the bridge. */
export const onBridge = fixture('a container on the bridge', async ({ use }) => (await use(publishing)).some);

function connecting(hostPort: unknown): ShownSetting {
  const connects = ['try', 'connect', '127.0.0.1', String(hostPort)];
  // It reports that it is ready just before it listens.
  return { run: [...connects, 'sleep', '200', ...connects], hostConfig: { NetworkMode: 'host' } };
}

/** Something on the daemon's host reaches the container through a host port, where containers can run there. */
async function expectReached(engine: Engine, inspect: Exchange, hostPort: unknown): Promise<void> {
  if (!engine.target.sharesHostNetwork) return;
  expectAnswered(await outputWith(engine, connecting(hostPort)), inspect, hostPort);
}

function expectAnswered({ stdout, evidence }: ContainerOutput, inspect: Exchange, hostPort: unknown): void {
  const label = `what a container on the host's network reads from its port ${hostPort}`;
  expectValue(label, stdout, [inspect, evidence]).toContain('probe\n');
}

const publishedRule = 'containers.create.host-config.port-published';
const publishAllRule = 'containers.create.host-config.publish-all';
onHost.add(publishedRule, async ({ target, use }) => {
  if (!target.sharesHostNetwork) throw new NotApplicable('containers cannot share the network of the host');
  return connecting((await use(publishing)).tcp);
});
onHost.add(publishAllRule, async ({ target, use }) => {
  if (!target.sharesHostNetwork) throw new NotApplicable('containers cannot share the network of the host');
  return connecting(hostPorts((await use(publishing)).all, '8080/tcp')[0]);
});

/** Shows a port as published without publishing it. */
function onlyShows(field: string): Fault {
  const bindings = (HostPort: string) => [{ HostIp: '0.0.0.0', HostPort }];
  const ports = { '8080/tcp': bindings('28080'), '8081/tcp': bindings('28081') };
  return alike(
    'shows ports as published and opens none',
    ignoresBodyField(`HostConfig.${field}`),
    on('GET /containers/{id}/json', setsField('NetworkSettings.Ports', ports)),
  );
}

check(publishedRule, { faults: [ignoresBodyField('HostConfig.PortBindings'), opensAnother()] }, async (context) => {
  const { engine } = context;
  const shared = await sharedWithPort(context, 'tcp');
  const reached = shared && (await answeredOnHost(context, publishedRule));
  const { hostPort, inspect } = shared && reached ? shared : await publishedAlone(engine, 'tcp');
  expectValue('the host ports of 8080/tcp in inspect', hostPorts(inspect, '8080/tcp'), [inspect]).toContain(hostPort);
  if (reached && reached !== 'not tried') expectAnswered(reached, inspect, hostPort);
  else if (!reached) await expectReached(engine, inspect, hostPort);
});

check(
  'containers.create.host-config.port-udp',
  { faults: [ignoresBodyField('HostConfig.PortBindings')] },
  async (context) => {
    const shared = await sharedWithPort(context, 'udp');
    const { hostPort, inspect } = shared ?? (await publishedAlone(context.engine, 'udp'));
    expectValue('the host ports of 8080/udp in inspect', hostPorts(inspect, '8080/udp'), [inspect]).toContain(hostPort);
  },
);

interface Published {
  readonly hostPort: string;
  readonly inspect: Exchange;
}

/** The container that publishes ports for several rules; undefined where it does not show this one. */
async function sharedWithPort({ use }: CheckContext, protocol: 'tcp' | 'udp'): Promise<Published | undefined> {
  const shared = await ifThere(use(publishing));
  if (!shared) return undefined;
  const { [protocol]: hostPort, some: inspect } = shared;
  return hostPorts(inspect, `8080/${protocol}`).includes(hostPort) ? { hostPort, inspect } : undefined;
}

/** What a container on the host's network has read from a port; undefined where it got no answer. */
async function answeredOnHost(
  context: CheckContext,
  rule: typeof publishedRule | typeof publishAllRule,
): Promise<ContainerOutput | 'not tried' | undefined> {
  if (!context.target.sharesHostNetwork) return 'not tried';
  return onHost.outputOf(context, rule, (text) => text.includes('probe\n'));
}

async function publishedAlone(engine: Engine, protocol: 'tcp' | 'udp'): Promise<Published> {
  const port = `8080/${protocol}`;
  const hostPort = String(await freePort());
  const ports = { PortBindings: { [port]: [{ HostPort: hostPort }] } };
  return { hostPort, inspect: await published(engine, { ExposedPorts: { [port]: {} } }, ports) };
}

/** Publishes an unused port of the container under the host port, and shows the requested one. */
function opensAnother(): Fault {
  return alike(
    'publishes another port than it shows',
    changesBodyField('publishes another port', 'HostConfig.PortBindings', (bindings) =>
      isObject(bindings) ? { '8089/tcp': bindings['8080/tcp'] ?? [] } : bindings,
    ),
    on(
      'GET /containers/{id}/json',
      changesJson('shows the port that was asked for', (json) => {
        const text = writeJson(json).replaceAll('"8080/tcp":null', '"8081/tcp":null');
        return parseJson(text.replaceAll('"8089/tcp"', '"8080/tcp"'));
      }),
    ),
  );
}

check('containers.create.host-config.port-integer-refused', { faults: [answersStatus(201)] }, async ({ engine }) => {
  const bind = (HostPort: unknown) =>
    create(engine, createBody(engine, { hostConfig: { PortBindings: { '8080/tcp': [{ HostPort }] } } }));
  await control(bind('28080'), 201);
  expect(await bind(28080)).toBeRefused();
});

/** Every port is published, each on its own port of the host. */
function showsAll(inspect: Exchange): boolean {
  const [one = [], other = []] = Object.keys(exposed.ExposedPorts).map((port) => hostPorts(inspect, port));
  return [one, other].every((ports) => ports.length > 0 && ports.every(isPort)) && one[0] !== other[0];
}

function isPort(hostPort: unknown): boolean {
  return Number(hostPort) > 0;
}

check(
  publishAllRule,
  {
    faults: [
      ignoresBodyField('HostConfig.PublishAllPorts'),
      onlyShows('PublishAllPorts'),
      on('GET /containers/{id}/json', showsOnePort()),
    ],
  },
  async (context) => {
    const { engine, use } = context;
    const shared = (await ifThere(use(publishing)))?.all;
    const reached = shared && showsAll(shared) ? await answeredOnHost(context, publishAllRule) : undefined;
    const inspect = shared && reached ? shared : await published(engine, exposed, { PublishAllPorts: true });
    for (const port of Object.keys(exposed.ExposedPorts)) {
      const ports = hostPorts(inspect, port);
      expectValue(`the host ports of ${port} in inspect`, ports, [inspect]).toSatisfy('a port', () => {
        return ports.length > 0 && ports.every(isPort);
      });
    }
    const [one, other] = Object.keys(exposed.ExposedPorts).map((port) => hostPorts(inspect, port)[0]);
    expectValue('the host port of 8081/tcp', other, [inspect]).toDiffer(one);
    if (reached && reached !== 'not tried') expectAnswered(reached, inspect, one);
    else if (!reached) await expectReached(engine, inspect, one);
  },
);

/** Shows the same host port for every port of a container. */
function showsOnePort(): Fault {
  return changesJson('shows one port of the host for all', (json) =>
    parseJson(writeJson(json).replaceAll(/"HostPort":"\d+"/g, '"HostPort":"28080"')),
  );
}

check(
  'containers.create.host-config.publish-all-default',
  { faults: [takesBodyFieldAs('HostConfig.PublishAllPorts', true)] },
  async ({ engine, use }) => {
    // It publishes others of its ports, by name.
    const shared = (await ifThere(use(publishing)))?.some;
    if (shared && hostPorts(shared, '8080/tcp').length > 0 && hostPorts(shared, '8081/tcp').length === 0) {
      expectValue('the host ports of 8081/tcp in inspect', hostPorts(shared, '8081/tcp'), [shared]).toBe([]);
      return;
    }
    const inspect = await published(engine, exposed, {});
    expectValue('the host ports of 8080/tcp in inspect', hostPorts(inspect, '8080/tcp'), [inspect]).toBe([]);
  },
);

const linksRule = 'containers.create.host-config.links';

function linkedTo(name: string): ShownSetting {
  return { run: ['read', '/etc/hosts'], hostConfig: { Links: [`${name}:ec-alias`] } };
}

bridged.add(linksRule, async ({ use }) => linkedTo((await use(idle)).name));

check(linksRule, { faults: [ignoresBodyField('HostConfig.Links')] }, async (context) => {
  const other = await useCommon(context, idle);
  const inspect = await given(other.inspect(), 200);
  const [address = ''] = valuesAt(inspect.json, 'NetworkSettings.IPAddress');
  const line = new RegExp(`${String(address).replaceAll('.', '\\.')}\\s.*\\bec-alias\\b`);
  const shown = await bridged.outputOf(context, linksRule, (text) => line.test(text));
  const { stdout, evidence } = shown ?? (await outputWith(context.engine, linkedTo(other.name)));
  expectValue('/etc/hosts of the container', stdout, [inspect, evidence]).toMatch(line);
});
