import type { Duplex } from 'node:stream';
import type { Bounds, LiveAnswer, Transport, Upgrade, WireAnswer, WireRequest } from '../transport/wire.ts';

/** The probe image of a run, which is loaded once somebody is about to name it. */
export class ProbeOnDemand {
  readonly #load: () => Promise<string | undefined>;
  #loading: Promise<string | undefined> | undefined;
  #isThere: boolean;

  /**
   * @param isThere whether it is on the target already
   * @param load loads it, and says why it cannot be had, undefined when it is there
   */
  constructor(isThere: boolean, load: () => Promise<string | undefined>) {
    this.#isThere = isThere;
    this.#load = load;
  }

  /** @returns why it cannot be had, undefined when it is there */
  async have(): Promise<string | undefined> {
    if (this.#isThere) return undefined;
    this.#loading ??= this.#load();
    const problem = await this.#loading;
    if (problem === undefined) this.#isThere = true;
    return problem;
  }

  /** Begins to load it if need be. Where that fails, the daemon says so to those that name it. */
  want(): void {
    if (!this.#isThere && !this.#loading) this.have().catch(() => {});
  }

  /** Loads it once more if it was there: a daemon that died may have lost it. */
  async again(): Promise<string | undefined> {
    return this.#isThere ? this.#load() : undefined;
  }

  /** A transport that sends nothing while the image is being loaded. */
  before(transport: Transport): Transport {
    return new WaitingTransport(transport, () => (this.#isThere ? undefined : this.#loading));
  }
}

class WaitingTransport implements Transport {
  readonly #transport: Transport;
  readonly #pending: () => Promise<unknown> | undefined;

  constructor(transport: Transport, pending: () => Promise<unknown> | undefined) {
    this.#transport = transport;
    this.#pending = pending;
  }

  async exchange(request: WireRequest, bounds: Bounds): Promise<WireAnswer> {
    await this.#ready(bounds);
    return this.#transport.exchange(request, bounds);
  }

  async open(request: WireRequest, bounds: Bounds & { readonly upgrade: Upgrade }): Promise<LiveAnswer> {
    await this.#ready(bounds);
    return this.#transport.open(request, bounds);
  }

  async connect(): Promise<Duplex> {
    await this.#ready();
    return this.#transport.connect();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #ready(bounds?: Bounds): Promise<void> {
    const pending = this.#pending();
    if (!pending) return;
    // What is sent without the image is refused by the daemon, which is for the check to judge.
    await pending.catch(() => {});
    bounds?.onTurn?.();
  }
}
