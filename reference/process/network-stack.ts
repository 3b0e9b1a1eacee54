import { errno, FsError } from './fs-error.ts';
import type { InputPipe } from './input-pipe.ts';

/** Accepts one simulated TCP connection and writes to its peer. */
export type Listener = (peer: InputPipe) => void;

/** The simulated hosts of one network, by address. */
export class Wire {
  readonly #stacks = new Map<string, NetworkStack>();

  join(address: string, stack: NetworkStack): void {
    this.#stacks.set(address, stack);
  }

  leave(address: string): void {
    this.#stacks.delete(address);
  }

  stack(address: string): NetworkStack | undefined {
    return this.#stacks.get(address);
  }
}

export interface NetworkInterface {
  readonly name: string;
  readonly mac: string;
}

/** A port of another namespace that is reached through a port of this one. */
export interface Published {
  readonly stack: NetworkStack;
  readonly port: number;
}

export const loopback: NetworkInterface = { name: 'lo', mac: '00:00:00:00:00:00' };

/** The interfaces and TCP ports of one network namespace. */
export class NetworkStack {
  readonly #listeners = new Map<number, Listener>();
  readonly #own: readonly NetworkInterface[];
  readonly #wires: () => Iterable<Wire>;
  readonly #published: (port: number) => Published | undefined;
  readonly #links = new Map<Wire, NetworkInterface & { readonly gateway?: string | undefined }>();

  /** `interfaces` always exist, `wires` are always reachable; `published` are ports that lead to other namespaces. */
  constructor(
    interfaces: readonly NetworkInterface[] = [loopback],
    wires: () => Iterable<Wire> = () => [],
    published: (port: number) => Published | undefined = () => undefined,
  ) {
    this.#own = interfaces;
    this.#wires = wires;
    this.#published = published;
  }

  get interfaces(): readonly NetworkInterface[] {
    return [...this.#own, ...this.#links.values()];
  }

  /** The first interface with a route to the outside, and its gateway. */
  get defaultRoute(): { readonly name: string; readonly gateway: string } | undefined {
    for (const { name, gateway } of this.#links.values()) if (gateway !== undefined) return { name, gateway };
    return undefined;
  }

  /** Adds an interface `ethN`, with the lowest free N, on a network, with an optional gateway to the outside. */
  join(wire: Wire, address: string, mac: string, gateway?: string): void {
    const names = new Set(this.interfaces.map(({ name }) => name));
    let number = 0;
    while (names.has(`eth${number}`)) number += 1;
    this.#links.set(wire, { name: `eth${number}`, mac, gateway });
    wire.join(address, this);
  }

  leave(wire: Wire, address: string): void {
    this.#links.delete(wire);
    wire.leave(address);
  }

  /** Listens on a port; the returned function stops that. Throws FsError. */
  listen(port: number, listener: Listener): () => void {
    if (this.#listeners.has(port)) throw new FsError(errno.EADDRINUSE);
    this.#listeners.set(port, listener);
    return () => this.#listeners.delete(port);
  }

  /** The listener on a port. */
  listenerAt(port: number): Listener | undefined {
    return this.#listeners.get(port);
  }

  /** Opens a connection whose bytes arrive in `into`. Throws FsError. */
  connect(address: string, port: number, into: InputPipe): void {
    const isHere = address.startsWith('127.');
    const stack = isHere ? this : this.#find(address);
    const through = isHere ? this.#published(port) : undefined;
    const listener = stack.listenerAt(port) ?? through?.stack.listenerAt(through.port);
    if (!listener) throw new FsError(errno.ECONNREFUSED);
    listener(into);
  }

  #find(address: string): NetworkStack {
    const wires = [...this.#links.keys(), ...this.#wires()];
    for (const wire of wires) {
      const stack = wire.stack(address);
      if (stack) return stack;
    }
    throw new FsError(wires.length > 0 ? errno.EHOSTUNREACH : errno.ENETUNREACH);
  }
}
