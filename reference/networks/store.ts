import { notFound, serverError } from '../errors.ts';
import { newId } from '../identifiers.ts';

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

export interface Network {
  readonly id: string;
  readonly name: string;
  readonly driver: string;
  /** First two numbers of the subnet, prefix length and gateway; undefined for a network without addresses. */
  readonly subnet: { readonly prefix: string; readonly length: number; readonly gateway: string } | undefined;
  readonly addresses: AddressPool | undefined;
  /** Container identifiers with their endpoints. */
  readonly endpoints: Map<string, Endpoint>;
}

/** The IPv4 addresses of a /16 subnet; .0.1 is the gateway's. */
class AddressPool {
  readonly #prefix: string;
  readonly #used = new Set<number>([0, 1]);
  #next = 2;

  /** `prefix`: the first two numbers of the subnet, such as `172.17`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The lowest free address. */
  take(): string {
    while (this.#used.has(this.#next)) this.#next += 1;
    if (this.#next > 65_534) throw serverError('the network has no free address');
    this.#used.add(this.#next);
    return `${this.#prefix}.${this.#next >> 8}.${this.#next & 255}`;
  }

  release(address: string): void {
    const [, , high = 0, low = 0] = address.split('.').map(Number);
    const number = high * 256 + low;
    this.#used.delete(number);
    this.#next = Math.min(this.#next, number);
  }
}

/** The MAC address that belongs to an IPv4 address. */
export function macOf(address: string): string {
  return ['02:42', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
}

/** The networks of an engine; bridge, host and none are always there. */
export class NetworkStore {
  readonly #networks = new Map<string, Network>();

  constructor() {
    const bridge = { prefix: '172.17', length: 16, gateway: '172.17.0.1' };
    this.#add({ name: 'bridge', driver: 'bridge', subnet: bridge, addresses: new AddressPool(bridge.prefix) });
    this.#add({ name: 'host', driver: 'host', subnet: undefined, addresses: undefined });
    this.#add({ name: 'none', driver: 'null', subnet: undefined, addresses: undefined });
  }

  #add(network: Omit<Network, 'id' | 'endpoints'>): void {
    const id = newId();
    this.#networks.set(id, { ...network, id, endpoints: new Map() });
  }

  all(): Network[] {
    return [...this.#networks.values()];
  }

  find(name: string): Network | undefined {
    return this.#networks.get(name) ?? this.all().find((network) => network.name === name);
  }

  get(name: string): Network {
    const network = this.find(name);
    if (!network) throw notFound(`network ${name} not found`);
    return network;
  }
}
