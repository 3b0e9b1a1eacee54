import { conflict, forbidden, notFound, serverError } from '../errors.ts';
import type { EventBus } from '../events/bus.ts';
import { newId } from '../identifiers.ts';
import { Wire } from '../process/network-stack.ts';
import { AddressPool, overlap, readSubnet, type Subnet } from './address-pool.ts';
import type { IpamConfig } from './ipam-config.ts';

/** One container's connection to a network. */
export interface Endpoint {
  readonly network: Network;
  readonly endpointId: string;
  /** IPv4 address; empty on the networks none and host. */
  readonly address: string;
  /** IPv6 address; empty on a network without an IPv6 subnet. */
  readonly address6: string;
  readonly mac: string;
}

/** The settings of a network. */
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

export interface Network extends NetworkSettings {
  readonly id: string;
  /** Undefined for a network without addresses. */
  readonly subnet: Subnet | undefined;
  readonly addresses: AddressPool | undefined;
  /** Undefined unless IPv6 is enabled with a subnet. */
  readonly subnet6: Subnet | undefined;
  readonly addresses6: AddressPool | undefined;
  /** Connects its containers with each other. */
  readonly wire: Wire;
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

/** The networks of an engine; bridge, host and none always exist. */
export class NetworkStore {
  readonly #networks = new Map<string, Network>();
  readonly #events: EventBus;

  constructor(events: EventBus) {
    this.#events = events;
    const ipamConfig = [{ Subnet: '172.17.0.0/16', Gateway: '172.17.0.1' }];
    this.#add({ ...plain, name: 'bridge', driver: 'bridge', ipamConfig }, true);
    this.#add({ ...plain, name: 'host', driver: 'host' }, true);
    this.#add({ ...plain, name: 'none', driver: 'null' }, true);
  }

  /**
   * Makes a network; without a subnet it gets a free one. Throws 403 for a name or driver that is reserved for a
   * predefined network, 500 for a subnet that overlaps with another.
   */
  create(settings: NetworkSettings): Network {
    const only = this.all().find(({ predefined, name, driver }) => {
      return predefined && (name === settings.name || (driver !== 'bridge' && driver === settings.driver));
    });
    if (only) throw forbidden(`there is only the predefined network ${only.name}`);
    const network = this.#add(settings, false);
    this.#emit('create', network);
    return network;
  }

  /** Throws 403 for a predefined network, 500 for one with containers. */
  remove(name: string): void {
    const network = this.get(name);
    if (network.predefined) throw forbidden(`${network.name} is a predefined network and cannot be removed`);
    if (network.endpoints.size > 0) throw serverError(`network ${network.name} has containers`);
    this.#networks.delete(network.id);
    this.#emit('destroy', network);
  }

  #emit(action: string, { id, name, driver, labels }: Network): void {
    this.#events.emit('network', action, id, { ...labels, name, type: driver });
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
    const subnets = settings.ipamConfig.filter((config) => config.Subnet !== '').map(readSubnet);
    const isAddressed = settings.driver === 'bridge';
    const subnet = subnets.find(({ isV6 }) => !isV6) ?? (isAddressed ? this.#freeSubnet() : undefined);
    const subnet6 = settings.enableIPv6 ? subnets.find(({ isV6 }) => isV6) : undefined;
    for (const asked of subnets) this.#refuseOverlap(asked);
    const network = {
      ...settings,
      ipamConfig: shownIpam(settings.ipamConfig, subnet),
      id: newId(),
      subnet,
      addresses: subnet && new AddressPool(subnet),
      subnet6,
      addresses6: subnet6 && new AddressPool(subnet6),
      wire: new Wire(),
      endpoints: new Map<string, Endpoint>(),
      predefined,
    };
    this.#networks.set(network.id, network);
    return network;
  }

  #refuseOverlap(asked: Subnet): void {
    const taken = this.#overlapping(asked);
    if (taken) throw serverError(`the subnet ${asked.cidr} overlaps with that of network ${taken.name}`);
  }

  #overlapping(asked: Subnet): Network | undefined {
    return this.all().find(({ subnet, subnet6 }) => [subnet, subnet6].some((other) => other && overlap(asked, other)));
  }

  #freeSubnet(): Subnet {
    for (let second = 18; second < 256; second += 1) {
      const subnet = readSubnet({ Subnet: second < 32 ? `172.${second}.0.0/16` : `10.${second}.0.0/16` });
      if (!this.#overlapping(subnet)) return subnet;
    }
    throw serverError('there is no free subnet');
  }
}

/** The requested configuration, with the engine's choice of subnet where none was requested. */
function shownIpam(asked: readonly IpamConfig[], subnet: Subnet | undefined): readonly IpamConfig[] {
  if (!subnet || asked.some((config) => config.Subnet !== '' && !config.Subnet.includes(':'))) return asked;
  const [first, ...others] = asked.filter((config) => config.Subnet === '');
  const chosen = { ...first, Subnet: subnet.cidr, Gateway: subnet.gateway };
  return [chosen, ...others, ...asked.filter((config) => config.Subnet !== '')];
}
