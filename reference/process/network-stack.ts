import { errno, FsError } from './fs-error.ts';
import type { InputPipe } from './input-pipe.ts';

/** Takes one simulated TCP connection and writes to its peer. */
export type Listener = (peer: InputPipe) => void;

/** All simulated hosts that can reach each other, by IPv4 address. */
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

export const loopback: NetworkInterface = { name: 'lo', mac: '00:00:00:00:00:00' };

/** The interfaces and TCP ports of one network namespace. */
export class NetworkStack {
  readonly interfaces: readonly NetworkInterface[];
  readonly #listeners = new Map<number, Listener>();
  readonly #wire: Wire | undefined;

  /** Without a wire only the loopback addresses can be reached. */
  constructor(wire: Wire | undefined, interfaces: readonly NetworkInterface[] = [loopback]) {
    this.#wire = wire;
    this.interfaces = interfaces;
  }

  /** Listens on a port; the answer stops it. Throws FsError. */
  listen(port: number, listener: Listener): () => void {
    if (this.#listeners.has(port)) throw new FsError(errno.EADDRINUSE);
    this.#listeners.set(port, listener);
    return () => this.#listeners.delete(port);
  }

  /** Opens a connection whose bytes arrive in `into`. Throws FsError. */
  connect(address: string, port: number, into: InputPipe): void {
    const stack = address.startsWith('127.') ? this : this.#wire?.stack(address);
    if (!stack) throw new FsError(errno.ENETUNREACH);
    const listener = stack.#listeners.get(port);
    if (!listener) throw new FsError(errno.ECONNREFUSED);
    listener(into);
  }
}
