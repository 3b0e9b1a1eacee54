import { randomInt } from 'node:crypto';
import net from 'node:net';
import { check } from '../../../harness/check.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { outputWith } from '../../../harness/engine/output.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { answersStatus, changesJson } from '../../../harness/faults/answers.ts';
import { alike, type Fault, on } from '../../../harness/faults/fault.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import { changesBodyField, ignoresBodyField, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { parseJson, writeJson } from '../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';

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

async function published(engine: Engine, config: Members, hostConfig: Members): Promise<Exchange> {
  const run = ['out', 'ready\\n', 'listen', '8080'];
  const container = await makeContainer(engine, { run, config, hostConfig, state: 'running' });
  await container.hasWritten('ready');
  return given(container.inspect(), 200);
}

/** Something on the daemon's host reaches the container through a host port, where containers can run there. */
async function expectReached(engine: Engine, inspect: Exchange, hostPort: unknown): Promise<void> {
  if (!engine.target.sharesHostNetwork) return;
  const connects = ['try', 'connect', '127.0.0.1', String(hostPort)];
  const { stdout, evidence } = await outputWith(engine, {
    // It reports that it is ready just before it listens.
    run: [...connects, 'sleep', '200', ...connects],
    hostConfig: { NetworkMode: 'host' },
  });
  const label = `what a container on the host's network reads from its port ${hostPort}`;
  expectValue(label, stdout, [inspect, evidence]).toContain('probe\n');
}

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

for (const [name, protocol] of [
  ['port-published', 'tcp'],
  ['port-udp', 'udp'],
] as const) {
  check(
    `containers.create.host-config.${name}`,
    {
      faults: [ignoresBodyField('HostConfig.PortBindings'), ...(protocol === 'tcp' ? [opensAnother()] : [])],
    },
    async ({ engine }) => {
      const port = `8080/${protocol}`;
      const hostPort = String(await freePort());
      const inspect = await published(
        engine,
        { ExposedPorts: { [port]: {} } },
        { PortBindings: { [port]: [{ HostPort: hostPort }] } },
      );
      expectValue(`the host ports of ${port} in inspect`, hostPorts(inspect, port), [inspect]).toContain(hostPort);
      if (protocol === 'tcp') await expectReached(engine, inspect, hostPort);
    },
  );
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

const exposed = { ExposedPorts: { '8080/tcp': {}, '8081/tcp': {} } };

check(
  'containers.create.host-config.publish-all',
  {
    faults: [
      ignoresBodyField('HostConfig.PublishAllPorts'),
      onlyShows('PublishAllPorts'),
      on('GET /containers/{id}/json', showsOnePort()),
    ],
  },
  async ({ engine }) => {
    const inspect = await published(engine, exposed, { PublishAllPorts: true });
    for (const port of Object.keys(exposed.ExposedPorts)) {
      const ports = hostPorts(inspect, port);
      expectValue(`the host ports of ${port} in inspect`, ports, [inspect]).toSatisfy('a port', () => {
        return ports.length > 0 && ports.every((one) => Number(one) > 0);
      });
    }
    const [one, other] = Object.keys(exposed.ExposedPorts).map((port) => hostPorts(inspect, port)[0]);
    expectValue('the host port of 8081/tcp', other, [inspect]).toDiffer(one);
    await expectReached(engine, inspect, one);
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
  async ({ engine }) => {
    const inspect = await published(engine, exposed, {});
    expectValue('the host ports of 8080/tcp in inspect', hostPorts(inspect, '8080/tcp'), [inspect]).toBe([]);
  },
);

check('containers.create.host-config.links', { faults: [ignoresBodyField('HostConfig.Links')] }, async ({ engine }) => {
  const other = await makeContainer(engine, { state: 'running', network: 'own' });
  const inspect = await given(other.inspect(), 200);
  const [address = ''] = valuesAt(inspect.json, 'NetworkSettings.IPAddress');
  const { stdout, evidence } = await outputWith(engine, {
    run: ['read', '/etc/hosts'],
    hostConfig: { Links: [`${other.name}:ec-alias`] },
  });
  const line = new RegExp(`${String(address).replaceAll('.', '\\.')}\\s.*\\bec-alias\\b`);
  expectValue('/etc/hosts of the container', stdout, [inspect, evidence]).toMatch(line);
});
