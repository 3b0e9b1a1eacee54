import { randomInt } from 'node:crypto';
import type { Engine } from '../engine.ts';
import { serverError } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { type Endpoint, macOf, type Network } from '../networks/store.ts';
import { loopback, NetworkStack, type Published } from '../process/network-stack.ts';
import type { Container } from './container.ts';
import type { ContainerConfig } from './settings/config.ts';
import type { HostConfig, PortBinding } from './settings/host-config.ts';
import type { EndpointConfig, Memberships, NetworkingConfig } from './settings/networking-config.ts';

/**
 * The networks of a new container: the one of its NetworkMode and those of its NetworkingConfig, which replace the
 * bridge unless another mode is set.
 */
export function initialMemberships(
  engine: Engine,
  { NetworkDisabled }: Pick<ContainerConfig, 'NetworkDisabled'>,
  { NetworkMode }: Pick<HostConfig, 'NetworkMode'>,
  asked: NetworkingConfig,
): Memberships {
  if (NetworkDisabled || NetworkMode.startsWith('container:')) return new Map();
  // Command lines call the network of a container that asks for none `default`.
  const named = (text: string): string => (text === 'default' ? 'bridge' : (engine.networks.find(text)?.name ?? text));
  const mode = named(NetworkMode);
  const memberships: Memberships = new Map();
  if (mode !== 'bridge' || Object.keys(asked).length === 0) memberships.set(mode, undefined);
  for (const [name, config] of Object.entries(asked)) memberships.set(named(name), config);
  return memberships;
}

/** Connects a starting container to its networks and publishes its ports. Throws EngineError. */
export function connectNetworks(engine: Engine, container: Container): NetworkStack {
  const mode = container.hostConfig.NetworkMode;
  if (container.config.NetworkDisabled) return new NetworkStack();
  if (mode.startsWith('container:')) {
    const other = engine.containers.get(mode.slice('container:'.length));
    if (!other.process) throw serverError(`cannot join the network of ${other.name}: it is not running`);
    return other.process.options.network;
  }
  const networks = [...container.memberships.keys()].map((name) => engine.networks.get(name));
  const stack = networks.some(({ driver }) => driver === 'host') ? hostStack(engine) : new NetworkStack();
  try {
    for (const network of networks) {
      joinNetwork(container, network, container.memberships.get(network.name), stack);
      if (container.endpoints.length === 1) container.ports = publishPorts(engine, container, network);
    }
  } catch (error) {
    disconnectNetworks(engine, container, stack);
    throw error;
  }
  return stack;
}

/** Connects a container to one more network: now when it runs, else when it starts (Document 3, Networks). */
export function connectTo(engine: Engine, container: Container, network: Network, asked: EndpointConfig): void {
  const { memberships, hostConfig, config, process } = container;
  if (memberships.has(network.name)) throw serverError(`${container.name} is connected to ${network.name} already`);
  const isAlone = [...memberships.keys(), network.name].some((name) => name === 'host' || name === 'none');
  if (config.NetworkDisabled || hostConfig.NetworkMode.startsWith('container:') || (isAlone && memberships.size > 0)) {
    throw serverError(`${container.name} cannot be on ${network.name} besides the network it has`);
  }
  if (process) {
    if (network.driver === 'host') throw serverError(`${container.name} runs, and cannot change to the host's network`);
    joinNetwork(container, network, asked, process.options.network);
    networkEvent(engine, container, 'connect', network);
  }
  memberships.set(network.name, asked);
}

/** Disconnects a container from a network. Throws 500 when it is not connected to it, and for the host's. */
export function disconnectFrom(engine: Engine, container: Container, network: Network): void {
  const { memberships, process } = container;
  if (!memberships.has(network.name)) throw serverError(`${container.name} is not connected to ${network.name}`);
  const endpoint = container.endpoints.find((one) => one.network === network);
  if (process && endpoint) {
    if (network.driver === 'host') throw serverError(`${container.name} runs, and cannot leave the host's network`);
    if (endpoint === container.endpoints[0]) releasePorts(engine, container);
    leaveNetwork(container, endpoint, process.options.network);
    networkEvent(engine, container, 'disconnect', network);
  }
  memberships.delete(network.name);
}

/** Emits the event that a container joined or left a network. */
export function networkEvent(engine: Engine, container: Container, action: string, network: Network): void {
  engine.events.emit('network', action, network.id, {
    container: container.id,
    name: network.name,
    type: network.driver,
  });
}

function joinNetwork(
  container: Container,
  network: Network,
  asked: EndpointConfig | undefined,
  stack: NetworkStack,
): void {
  const address = network.addresses?.take(asked?.ipam.IPv4Address) ?? '';
  let address6 = '';
  try {
    address6 = network.addresses6?.take(asked?.ipam.IPv6Address) ?? '';
  } catch (error) {
    network.addresses?.release(address);
    throw error;
  }
  // The address in the configuration is for the first interface.
  const ownMac = container.endpoints.length === 0 ? container.config.MacAddress : '';
  const mac = address ? ownMac || macOf(address) : '';
  const endpoint = { network, endpointId: newId(), address, address6, mac };
  network.endpoints.set(container.id, endpoint);
  container.endpoints = [...container.endpoints, endpoint];
  if (address) stack.join(network.wire, address, mac, network.internal ? undefined : network.subnet?.gateway);
}

function leaveNetwork(container: Container, endpoint: Endpoint, stack: NetworkStack | undefined): void {
  const { network, address, address6 } = endpoint;
  container.endpoints = container.endpoints.filter((one) => one !== endpoint);
  network.endpoints.delete(container.id);
  if (address) {
    stack?.leave(network.wire, address);
    network.addresses?.release(address);
  }
  if (address6) network.addresses6?.release(address6);
}

/** Disconnects a stopped container from its networks and frees its resources there; returns the networks it left. */
export function disconnectNetworks(engine: Engine, container: Container, stack: NetworkStack | undefined): Network[] {
  const left = container.endpoints.map(({ network }) => network);
  for (const endpoint of container.endpoints) leaveNetwork(container, endpoint, stack);
  releasePorts(engine, container);
  return left;
}

function releasePorts(engine: Engine, container: Container): void {
  for (const [port, bindings] of Object.entries(container.ports)) {
    for (const { HostPort } of bindings ?? []) engine.hostPorts.delete(hostPort(HostPort, port));
  }
  container.ports = {};
}

/** The network of the simulated host, from which all containers can be reached. */
function hostStack(engine: Engine): NetworkStack {
  const interfaces = [
    loopback,
    { name: 'eth0', mac: '02:00:00:00:00:01' },
    { name: 'engine0', mac: '02:42:00:00:00:01' },
  ];
  const wires = () => engine.networks.all().map(({ wire }) => wire);
  return new NetworkStack(interfaces, wires, (port) => publishedAt(engine, port));
}

/** The TCP port of a container that is published at a port of the host. */
function publishedAt(engine: Engine, number: number): Published | undefined {
  for (const { ports, process } of engine.containers.all()) {
    const isHere = ([port, bindings]: [string, readonly PortBinding[] | null]): boolean =>
      port.endsWith('/tcp') && (bindings ?? []).some(({ HostPort }) => HostPort === String(number));
    const port = Object.entries(ports).find(isHere)?.[0];
    if (process && port !== undefined) return { stack: process.options.network, port: Number.parseInt(port, 10) };
  }
  return undefined;
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

/** Claims a host port: the requested one, the first free one of a range, or any. */
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
