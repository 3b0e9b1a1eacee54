import { randomInt } from 'node:crypto';
import type { Engine } from '../engine.ts';
import { serverError } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { type Endpoint, macOf, type Network } from '../networks/store.ts';
import { NetworkStack } from '../process/network-stack.ts';
import type { Container } from './container.ts';
import type { PortBinding } from './host-config.ts';

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
  const endpoint = newEndpoint(container, network);
  network.endpoints.set(container.id, endpoint);
  container.endpoints = [endpoint];
  const stack = new NetworkStack(network.addresses ? engine.wire : undefined);
  if (endpoint.address) engine.wire.join(endpoint.address, stack);
  try {
    container.ports = publishPorts(engine, container, network);
  } catch (error) {
    disconnectNetworks(engine, container);
    throw error;
  }
  return stack;
}

/** Takes a stopped container off its networks and frees what it held there; answers the networks it left. */
export function disconnectNetworks(engine: Engine, container: Container): Network[] {
  const left = container.endpoints.map(({ network }) => network);
  for (const { network, address } of container.endpoints) {
    network.endpoints.delete(container.id);
    if (!address) continue;
    engine.wire.leave(address);
    network.addresses?.release(address);
  }
  for (const [port, bindings] of Object.entries(container.ports)) {
    for (const { HostPort } of bindings ?? []) engine.hostPorts.delete(hostPort(HostPort, port));
  }
  container.endpoints = [];
  container.ports = {};
  return left;
}

function newEndpoint(container: Container, network: Network): Endpoint {
  const asked = container.networkingConfig[network.name];
  const address = network.addresses?.take() ?? '';
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
