import { conflict, forbidden, notFound, serverError } from '../errors.ts';
import type { EventBus } from '../events/bus.ts';
import { newId } from '../identifiers.ts';
import { AddressPool, readSubnet, type Subnet } from './address-pool.ts';

/** One container's connection to a network. */
export interface Endpoint {
  readonly network: Network;
  readonly endpointId: string;
  /** IPv4 address; empty on the networks none and host. */
  readonly address: string;
  readonly mac: string;
  readonly links: readonly string[];
  readonly aliases: readonly string[];
  readonly ipam: object;
}

/** What a network is made of. */
export interface NetworkSettings {
  readonly name: string;
  readonly driver: string;
  readonly ipamDriver: string;
  readonly ipamOptions: Readonly<Record<string, string>>;
  readonly ipamConfig: readonly IpamConfig[];
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly internal: boolean;
  readonly enableIPv6: boolean;
}

export interface IpamConfig {
  readonly Subnet: string;
  readonly IPRange?: string;
  readonly Gateway?: string;
  readonly AuxAddress?: unknown;
}

export interface Network extends NetworkSettings {
  readonly id: string;
  /** Undefined for a network without addresses. */
  readonly subnet: Subnet | undefined;
  readonly addresses: AddressPool | undefined;
  /** Container identifiers with their endpoints. */
  readonly endpoints: Map<string, Endpoint>;
  readonly predefined: boolean;
}

/** The MAC address that belongs to an IPv4 address. */
export function macOf(address: string): string {
  return ['02:42', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
}

const plain = {
  ipamDriver: 'default',
  ipamOptions: {},
  ipamConfig: [],
  options: {},
  labels: {},
  internal: false,
  enableIPv6: false,
};

/** The networks of an engine; bridge, host and none are always there. */
export class NetworkStore {
  readonly #networks = new Map<string, Network>();
  readonly #events: EventBus;
  #lastSubnet = 17;

  constructor(events: EventBus) {
    this.#events = events;
    const ipamConfig = [{ Subnet: '172.17.0.0/16', Gateway: '172.17.0.1' }];
    this.#add({ ...plain, name: 'bridge', driver: 'bridge', ipamConfig }, true);
    this.#add({ ...plain, name: 'host', driver: 'host' }, true);
    this.#add({ ...plain, name: 'none', driver: 'null' }, true);
  }

  /** Makes a network; without a subnet it gets the next one that nobody asked for. */
  create(settings: NetworkSettings): Network {
    const network = this.#add(settings, false);
    this.#events.emit('network', 'create', network.id, { name: network.name, type: network.driver });
    return network;
  }

  /** Throws 403 for a predefined network, 500 for one with containers. */
  remove(name: string): void {
    const network = this.get(name);
    if (network.predefined) throw forbidden(`${network.name} is a predefined network and cannot be removed`);
    if (network.endpoints.size > 0) throw serverError(`network ${network.name} has containers`);
    this.#networks.delete(network.id);
    this.#events.emit('network', 'destroy', network.id, { name: network.name, type: network.driver });
  }

  all(): Network[] {
    return [...this.#networks.values()];
  }

  find(name: string): Network | undefined {
    const exact = this.#networks.get(name) ?? this.all().find((network) => network.name === name);
    if (exact || name.length < 4) return exact;
    const short = this.all().filter(({ id }) => id.startsWith(name));
    return short.length === 1 ? short[0] : undefined;
  }

  get(name: string): Network {
    const network = this.find(name);
    if (!network) throw notFound(`network ${name} not found`);
    return network;
  }

  /** Throws 409 when a network has the name. */
  refuseDuplicate(name: string): void {
    if (this.all().some((network) => network.name === name)) throw conflict(`there is a network ${name} already`);
  }

  #add(settings: NetworkSettings, predefined: boolean): Network {
    const [first] = settings.ipamConfig;
    const addressed = settings.driver === 'bridge';
    const subnet = addressed ? readSubnet(first?.Subnet || this.#freeSubnet(), first?.Gateway) : undefined;
    const ipamConfig =
      settings.ipamConfig.length > 0 || !subnet
        ? settings.ipamConfig
        : [{ Subnet: subnet.cidr, Gateway: subnet.gateway }];
    const network = {
      ...settings,
      ipamConfig,
      id: newId(),
      subnet,
      addresses: subnet && new AddressPool(subnet),
      endpoints: new Map<string, Endpoint>(),
      predefined,
    };
    this.#networks.set(network.id, network);
    return network;
  }

  #freeSubnet(): string {
    this.#lastSubnet = this.#lastSubnet >= 254 ? 18 : this.#lastSubnet + 1;
    return `172.${this.#lastSubnet}.0.0/16`;
  }
}
