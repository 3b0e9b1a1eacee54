import { randomInt } from 'node:crypto';
import type { Engine } from '../engine.ts';
import { serverError } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { type Endpoint, macOf, type Network } from '../networks/store.ts';
import { loopback, type NetworkInterface, NetworkStack } from '../process/network-stack.ts';
import type { Container } from './container.ts';
import type { PortBinding } from './host-config.ts';
import type { EndpointConfig } from './networking-config.ts';

/** Connects a starting container to its network and publishes its ports. Throws EngineError. */
export function connectNetworks(engine: Engine, container: Container): NetworkStack {
  const mode = container.hostConfig.NetworkMode;
  if (container.config.NetworkDisabled) return new NetworkStack(undefined);
  if (mode.startsWith('container:')) {
    const other = engine.containers.get(mode.slice('container:'.length));
    if (!other.process) throw serverError(`cannot join the network of ${other.name}: it is not running`);
    return other.process.options.network;
  }
  const network = engine.networks.get(mode === 'default' ? 'bridge' : mode);
  const endpoint = attachEndpoint(container, network, container.networkingConfig[network.name]);
  const stack = new NetworkStack(network.addresses ? engine.wire : undefined, interfacesOf(endpoint));
  joinWire(engine, endpoint, stack);
  try {
    container.ports = publishPorts(engine, container, network);
    for (const [id, asked] of container.joined) {
      const joined = engine.networks.find(id);
      if (joined && joined !== network) joinWire(engine, attachEndpoint(container, joined, asked), stack);
    }
  } catch (error) {
    disconnectNetworks(engine, container);
    throw error;
  }
  return stack;
}

/** Connects a container to one more network: now when it runs, else when it starts (Document 3, Networks). */
export function connectTo(engine: Engine, container: Container, network: Network, asked: EndpointConfig): void {
  if (container.joined.has(network.id) || network.endpoints.has(container.id)) {
    throw serverError(`${container.name} is connected to ${network.name} already`);
  }
  container.joined.set(network.id, asked);
  if (!container.process) return;
  joinWire(engine, attachEndpoint(container, network, asked), container.process.options.network);
  networkEvent(engine, container, 'connect', network);
}

/** Takes a container off one network. Throws 500 when it is not connected to it. */
export function disconnectFrom(engine: Engine, container: Container, network: Network): void {
  const endpoint = container.endpoints.find((one) => one.network === network);
  if (!endpoint && !container.joined.has(network.id)) {
    throw serverError(`${container.name} is not connected to ${network.name}`);
  }
  container.joined.delete(network.id);
  if (!endpoint) return;
  leaveNetwork(engine, container, endpoint);
  container.endpoints = container.endpoints.filter((one) => one !== endpoint);
  networkEvent(engine, container, 'disconnect', network);
}

/** Tells that a container joined or left a network. */
export function networkEvent(engine: Engine, container: Container, action: string, network: Network): void {
  engine.events.emit('network', action, network.id, {
    container: container.id,
    name: network.name,
    type: network.driver,
  });
}

function attachEndpoint(container: Container, network: Network, asked: EndpointConfig | undefined): Endpoint {
  const endpoint = newEndpoint(container, network, asked);
  network.endpoints.set(container.id, endpoint);
  container.endpoints = [...container.endpoints, endpoint];
  return endpoint;
}

function joinWire(engine: Engine, { address }: Endpoint, stack: NetworkStack): void {
  if (address) engine.wire.join(address, stack);
}

function leaveNetwork(engine: Engine, container: Container, { network, address }: Endpoint): void {
  network.endpoints.delete(container.id);
  if (!address) return;
  engine.wire.leave(address);
  network.addresses?.release(address);
}

/** Takes a stopped container off its networks and frees what it held there; answers the networks it left. */
export function disconnectNetworks(engine: Engine, container: Container): Network[] {
  const left = container.endpoints.map(({ network }) => network);
  for (const endpoint of container.endpoints) leaveNetwork(engine, container, endpoint);
  for (const [port, bindings] of Object.entries(container.ports)) {
    for (const { HostPort } of bindings ?? []) engine.hostPorts.delete(hostPort(HostPort, port));
  }
  container.endpoints = [];
  container.ports = {};
  return left;
}

/** The interfaces of the simulated host, which containers on the network `host` share. */
const hostInterfaces = [
  loopback,
  { name: 'eth0', mac: '02:00:00:00:00:01' },
  { name: 'engine0', mac: '02:42:00:00:00:01' },
];

function interfacesOf({ network, mac }: Endpoint): readonly NetworkInterface[] {
  if (network.driver === 'host') return hostInterfaces;
  return network.addresses ? [loopback, { name: 'eth0', mac }] : [loopback];
}

function newEndpoint(container: Container, network: Network, asked: EndpointConfig | undefined): Endpoint {
  const address = network.addresses?.take(asked?.ipam.IPv4Address) ?? '';
  return {
    network,
    endpointId: newId(),
    address,
    mac: address ? container.config.MacAddress || macOf(address) : '',
    links: asked?.links ?? [],
    aliases: asked?.aliases ?? [],
    ipam: asked?.ipam ?? {},
  };
}

function hostPort(number: string, port: string): string {
  return `${number}/${port.split('/')[1]}`;
}

function publishPorts(engine: Engine, container: Container, network: Network): Container['ports'] {
  const { PortBindings, PublishAllPorts } = container.hostConfig;
  const ports: Record<string, readonly PortBinding[] | null> = {};
  const exposed = new Set([...Object.keys(container.config.ExposedPorts), ...Object.keys(PortBindings)]);
  if (!network.addresses) return ports;
  const taken: string[] = [];
  try {
    for (const port of exposed) {
      const asked = PortBindings[port] ?? (PublishAllPorts ? [{ HostIp: '', HostPort: '' }] : []);
      const bindings = asked.map(({ HostIp, HostPort }) => {
        const number = claim(engine, HostPort, port);
        taken.push(hostPort(number, port));
        return { HostIp: HostIp || '0.0.0.0', HostPort: number };
      });
      ports[port] = bindings.length > 0 ? bindings : null;
    }
  } catch (error) {
    for (const key of taken) engine.hostPorts.delete(key);
    throw error;
  }
  return ports;
}

/** Takes a port of the host: the one asked for, the first free one of a range, or any. */
function claim(engine: Engine, asked: string, port: string): string {
  const [first, last = first] = asked.split('-').map(Number);
  const candidates = Number(first) > 0 ? range(Number(first), Number(last)) : anyPorts();
  for (const number of candidates) {
    const key = hostPort(String(number), port);
    if (engine.hostPorts.has(key)) continue;
    engine.hostPorts.add(key);
    return String(number);
  }
  throw serverError(`the host port ${asked || 'range'} is taken`);
}

function* range(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number += 1) yield number;
}

function* anyPorts(): Generator<number> {
  for (let tries = 0; tries < 1000; tries += 1) yield randomInt(32_768, 61_000);
}
