import { randomInt } from 'node:crypto';
import net from 'node:net';
import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { type ContainerOutput, outputWith } from '../../../harness/engine/output.ts';
import { filters } from '../../../harness/engine/query.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { answersStatus, changesJson } from '../../../harness/faults/answers.ts';
import { alike, type Fault, on } from '../../../harness/faults/fault.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import { changesBodyField, ignoresBodyField, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { parseJson, writeJson } from '../../../harness/streams/json.ts';
import { isObject } from '../../../harness/streams/json-path.ts';
import { NotApplicable } from '../../../harness/verdict/outcomes.ts';
import { idle, useCommon } from '../../support/common-containers.ts';
import { anotherTime, ifRight, ifThere } from '../../support/shared-results.ts';
import { bridged, onHost } from '../support/created-together.ts';
import { addressIn } from '../support/links.ts';
import { itemOf, list } from '../support/list-answers.ts';
import { type ShownSetting, withOtherSettings } from '../support/tried-together.ts';

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

/** A running container, and the list with it: of ports, the documents describe the item of a list only. */
interface Published {
  readonly container: Container;
  readonly listed: Exchange;
}

/** The host ports that the list shows for a port of a container. */
function hostPorts({ container, listed }: Published, port: string): number[] {
  const [number, type] = port.split('/');
  const ports = itemOf(listed, container)?.Ports;
  return (Array.isArray(ports) ? ports : []).filter(isObject).flatMap(({ PrivatePort, PublicPort, Type }) => {
    const isPublished = Number(PrivatePort) === Number(number) && Type === type && Number(PublicPort) > 0;
    return isPublished ? [Number(PublicPort)] : [];
  });
}

type Members = Readonly<Record<string, unknown>>;

const exposed = { ExposedPorts: { '8080/tcp': {}, '8081/tcp': {}, '8082/udp': {} } };

async function published(engine: Engine, config: Members, hostConfig: Members): Promise<Published> {
  const run = ['out', 'ready\\n', 'listen', '8080'];
  const label = `ec.ports=${engine.unusedName('container')}`;
  const Labels = Object.fromEntries([label.split('=')]);
  const container = await makeContainer(engine, { run, config: { ...config, Labels }, hostConfig, state: 'running' });
  await container.hasWritten('ready');
  // The filter only keeps the list short.
  return { container, listed: await given(list(engine, { filters: filters({ label: [label] }) }), 200) };
}

/** Running containers that publish ports of each kind, and one that does not. */
const publishing = fixture('containers with published ports', async ({ engine }) => {
  const [tcp, another, udp] = [await freePort(), await freePort(), await freePort()];
  const [some, all] = await Promise.all([
    published(
      engine,
      { ExposedPorts: { '8080/tcp': {}, '8080/udp': {}, '8081/tcp': {} } },
      {
        NetworkMode: 'bridge',
        PortBindings: {
          '8080/tcp': [{ HostPort: String(tcp) }, { HostPort: String(another) }],
          '8080/udp': [{ HostPort: String(udp) }],
        },
      },
    ),
    published(engine, exposed, { PublishAllPorts: true }),
  ]);
  return { tcp, another, udp, some, all };
});

/** The networks of a running container on the bridge. */
export const onBridge = fixture('a container on the bridge', async ({ use }) => {
  const { container } = (await use(publishing)).some;
  return given(container.inspect(), 200);
});

function connecting(hostPort: unknown): ShownSetting {
  const connects = ['try', 'connect', '127.0.0.1', String(hostPort)];
  // It reports that it is ready just before it listens.
  return { run: [...connects, 'sleep', '200', ...connects], hostConfig: { NetworkMode: 'host' } };
}

/** Something on the daemon's host reaches the container through a host port, where containers can run there. */
async function expectReached(engine: Engine, one: Published, hostPort: unknown): Promise<void> {
  if (!engine.target.sharesHostNetwork) return;
  expectAnswered(await outputWith(engine, connecting(hostPort)), one, hostPort);
}

function expectAnswered({ stdout, evidence }: ContainerOutput, { listed }: Published, hostPort: unknown): void {
  const label = `what a container on the host's network reads from its port ${hostPort}`;
  expectValue(label, stdout, [listed, evidence]).toContain('probe\n');
}

function expectPorts(one: Published, port: string) {
  return expectValue(`the host ports of ${port} in the list`, hostPorts(one, port), [one.listed]);
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
  const ports = [8080, 8081].map((port) => ({ PrivatePort: port, PublicPort: 20_000 + port, Type: 'tcp' }));
  return alike(
    'shows ports as published and opens none',
    ignoresBodyField(`HostConfig.${field}`),
    on('GET /containers/json', setsField('Ports', ports)),
  );
}

check(publishedRule, { faults: [ignoresBodyField('HostConfig.PortBindings'), opensAnother()] }, async (context) => {
  const { engine } = context;
  const shared = await sharedWithPort(context, 'tcp');
  const reached = shared && (await answeredOnHost(context, publishedRule));
  const { hostPort, one } = shared && reached ? shared : await publishedAlone(engine, 'tcp');
  expectPorts(one, '8080/tcp').toContain(hostPort);
  if (reached && reached !== 'not tried') expectAnswered(reached, one, hostPort);
  else if (!reached) await expectReached(engine, one, hostPort);
});

check(
  'containers.create.host-config.port-udp',
  { faults: [ignoresBodyField('HostConfig.PortBindings')] },
  async (context) => {
    const shared = await sharedWithPort(context, 'udp');
    const { hostPort, one } = shared ?? (await publishedAlone(context.engine, 'udp'));
    expectPorts(one, '8080/udp').toContain(hostPort);
  },
);

const firstOnly = changesBodyField('publishes the first of several only', 'HostConfig.PortBindings', (bindings) =>
  isObject(bindings)
    ? Object.fromEntries(Object.entries(bindings).map(([port, list]) => [port, [list].flat().slice(0, 1)]))
    : bindings,
);

check('containers.create.host-config.port-several', { faults: [firstOnly] }, async ({ engine, use }) => {
  const shared = await ifThere(use(publishing));
  const both = shared && { asked: [shared.tcp, shared.another], one: shared.some };
  const isRight = ({ asked, one }: PublishedTwice) => asked.every((port) => hostPorts(one, '8080/tcp').includes(port));
  const { asked, one } = ifRight(both, isRight, withOtherSettings, listOf) ?? (await publishedTwice(engine));
  for (const hostPort of asked) expectPorts(one, '8080/tcp').toContain(hostPort);
});

/** A container that publishes one port on two ports that were asked for. */
interface PublishedTwice {
  readonly asked: readonly number[];
  readonly one: Published;
}

async function publishedTwice(engine: Engine): Promise<PublishedTwice> {
  const asked = [await freePort(), await freePort()];
  const ports = { PortBindings: { '8080/tcp': asked.map((port) => ({ HostPort: String(port) })) } };
  return { asked, one: await published(engine, { ExposedPorts: { '8080/tcp': {} } }, ports) };
}

/** A container that publishes its port 8080 on a port that was asked for. */
interface PublishedOn {
  readonly hostPort: number;
  readonly one: Published;
}

function listOf({ one }: { readonly one: Published }): Exchange {
  return one.listed;
}

/** The container that publishes ports for several rules; undefined where it does not show this one. */
async function sharedWithPort({ use }: CheckContext, protocol: 'tcp' | 'udp'): Promise<PublishedOn | undefined> {
  const shared = await ifThere(use(publishing));
  if (!shared) return undefined;
  const isRight = ({ hostPort, one }: PublishedOn) => hostPorts(one, `8080/${protocol}`).includes(hostPort);
  return ifRight({ hostPort: shared[protocol], one: shared.some }, isRight, withOtherSettings, listOf);
}

/** What a container on the host's network has read from a port; undefined where it got no answer. */
async function answeredOnHost(
  context: CheckContext,
  rule: typeof publishedRule | typeof publishAllRule,
): Promise<ContainerOutput | 'not tried' | undefined> {
  if (!context.target.sharesHostNetwork) return 'not tried';
  return onHost.outputOf(context, rule, (text) => text.includes('probe\n'));
}

async function publishedAlone(engine: Engine, protocol: 'tcp' | 'udp'): Promise<PublishedOn> {
  const port = `8080/${protocol}`;
  const hostPort = await freePort();
  const ports = { PortBindings: { [port]: [{ HostPort: String(hostPort) }] } };
  return { hostPort, one: await published(engine, { ExposedPorts: { [port]: {} } }, ports) };
}

/** Publishes an unused port of the container under the host port, and shows the requested one. */
function opensAnother(): Fault {
  return alike(
    'publishes another port than it shows',
    changesBodyField('publishes another port', 'HostConfig.PortBindings', (bindings) =>
      isObject(bindings) ? { '8089/tcp': bindings['8080/tcp'] ?? [] } : bindings,
    ),
    on(
      'GET /containers/json',
      changesJson('shows the port that was asked for', (json) => {
        const text = writeJson(json).replaceAll('"PrivatePort":8080,', '"PrivatePort":8081,');
        return parseJson(text.replaceAll('"PrivatePort":8089,', '"PrivatePort":8080,'));
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
function showsAll(one: Published): boolean {
  const [first, second, third] = Object.keys(exposed.ExposedPorts).map((port) => hostPorts(one, port)[0]);
  return first !== undefined && second !== undefined && third !== undefined && first !== second;
}

check(
  publishAllRule,
  {
    faults: [
      ignoresBodyField('HostConfig.PublishAllPorts'),
      onlyShows('PublishAllPorts'),
      on('GET /containers/json', showsOnePort()),
      on('GET /containers/json', forgetsPorts('udp')),
    ],
  },
  async (context) => {
    const { engine, use } = context;
    const all = (await ifThere(use(publishing)))?.all;
    const shared = ifRight(all, showsAll, anotherTime, ({ listed }) => listed);
    const reached = shared ? await answeredOnHost(context, publishAllRule) : undefined;
    const one = shared && reached ? shared : await published(engine, exposed, { PublishAllPorts: true });
    for (const port of Object.keys(exposed.ExposedPorts)) {
      expectPorts(one, port).toSatisfy('a port', () => hostPorts(one, port).length > 0);
    }
    const [first, second] = Object.keys(exposed.ExposedPorts).map((port) => hostPorts(one, port)[0]);
    expectValue('the host port of 8081/tcp', second, [one.listed]).toDiffer(first);
    if (reached && reached !== 'not tried') expectAnswered(reached, one, first);
    else if (!reached) await expectReached(engine, one, first);
  },
);

/** Shows no port of a protocol. */
function forgetsPorts(type: string): Fault {
  return changesJson(`shows no port of ${type}`, (json) =>
    [json]
      .flat()
      .map((item) =>
        isObject(item)
          ? { ...item, Ports: [item.Ports ?? []].flat().filter((port) => !isObject(port) || port.Type !== type) }
          : item,
      ),
  );
}

/** Shows the same host port for every port of a container. */
function showsOnePort(): Fault {
  return changesJson('shows one port of the host for all', (json) =>
    parseJson(writeJson(json).replaceAll(/"PublicPort":\d+/g, '"PublicPort":28080')),
  );
}

check(
  'containers.create.host-config.publish-all-default',
  { faults: [takesBodyFieldAs('HostConfig.PublishAllPorts', true)] },
  async ({ engine, use }) => {
    // It publishes others of its ports, by name.
    const some = (await ifThere(use(publishing)))?.some;
    const isRight = (one: Published) =>
      hostPorts(one, '8080/tcp').length > 0 && hostPorts(one, '8081/tcp').length === 0;
    const shared = ifRight(some, isRight, withOtherSettings, ({ listed }) => listed);
    if (shared) {
      expectPorts(shared, '8081/tcp').toBe([]);
      return;
    }
    expectPorts(await published(engine, exposed, {}), '8080/tcp').toBe([]);
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
  const line = new RegExp(`${addressIn(inspect).replaceAll('.', '\\.')}\\s.*\\bec-alias\\b`);
  const shown = await bridged.outputOf(context, linksRule, (text) => line.test(text));
  const { stdout, evidence } = shown ?? (await outputWith(context.engine, linkedTo(other.name)));
  expectValue('/etc/hosts of the container', stdout, [inspect, evidence]).toMatch(line);
});
