import { randomInt } from 'node:crypto';
import net from 'node:net';
import { check } from '../../harness/check.ts';
import { create, createBody, makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { outputWith } from '../../harness/engine/output.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { isObject, valuesAt } from '../../harness/expect/json-path.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../harness/faults/requests.ts';

/** Below the range from which hosts and engines choose, so that nobody is given it between the look and its use. */
const firstPort = 20_000;
const portCount = 8_000;
const handedOut = new Set<number>();

/** A port that nothing on this machine uses right now, and no other check is given. */
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

/** The host ports that inspect tells for a port of a running container. */
function hostPorts(inspect: Exchange, port: string): unknown[] {
  const [ports] = valuesAt(inspect.json, 'NetworkSettings.Ports');
  const bindings = isObject(ports) ? ports[port] : undefined;
  return (Array.isArray(bindings) ? bindings : []).map((binding) => (isObject(binding) ? binding.HostPort : binding));
}

type Members = Readonly<Record<string, unknown>>;

async function published(engine: Engine, config: Members, hostConfig: Members): Promise<Exchange> {
  const container = await makeContainer(engine, { config, hostConfig, state: 'running' });
  return given(container.inspect(), 200);
}

for (const [name, protocol] of [
  ['port-published', 'tcp'],
  ['port-udp', 'udp'],
] as const) {
  check(
    `containers.create.host-config.${name}`,
    { faults: [ignoresBodyField('HostConfig.PortBindings')] },
    async ({ engine }) => {
      const port = `8080/${protocol}`;
      const hostPort = String(await freePort());
      const inspect = await published(
        engine,
        { ExposedPorts: { [port]: {} } },
        { PortBindings: { [port]: [{ HostPort: hostPort }] } },
      );
      expectValue(`the host ports of ${port} in inspect`, hostPorts(inspect, port), [inspect]).toContain(hostPort);
    },
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
  { faults: [ignoresBodyField('HostConfig.PublishAllPorts')] },
  async ({ engine }) => {
    const inspect = await published(engine, exposed, { PublishAllPorts: true });
    for (const port of Object.keys(exposed.ExposedPorts)) {
      const ports = hostPorts(inspect, port);
      expectValue(`the host ports of ${port} in inspect`, ports, [inspect]).toSatisfy('a port', () => {
        return ports.length > 0 && ports.every((one) => Number(one) > 0);
      });
    }
  },
);

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
