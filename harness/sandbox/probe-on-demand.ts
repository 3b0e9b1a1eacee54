import type { Duplex } from 'node:stream';
import type { Bounds, LiveAnswer, Transport, Upgrade, WireAnswer, WireRequest } from '../transport/wire.ts';
import type { MissingImage } from './missing-image.ts';

/** The probe image of a run, which is loaded when it is first needed. */
export class ProbeOnDemand {
  readonly #load: () => Promise<MissingImage | undefined>;
  #loading: Promise<MissingImage | undefined> | undefined;
  #isThere: boolean;
  #missing: MissingImage | undefined;

  /**
   * @param known whether it is already on the target, or why it is not available
   * @param load loads it, and returns why it is not available, or undefined when it is there
   */
  constructor(known: boolean | MissingImage, load: () => Promise<MissingImage | undefined>) {
    this.#isThere = known === true;
    if (typeof known === 'object') this.#known(known);
    this.#load = load;
  }

  /** @returns why it is not available; undefined when it is there */
  async have(): Promise<MissingImage | undefined> {
    if (this.#isThere) return undefined;
    this.#loading ??= this.#load();
    const missing = await this.#loading;
    if (missing) this.#known(missing);
    else this.#isThere = true;
    return missing;
  }

  /** Why it is not available, once that is known. */
  get missing(): MissingImage | undefined {
    return this.#missing;
  }

  /** Starts loading it if necessary. */
  want(): void {
    if (!this.#isThere && !this.#loading) this.have().catch(() => {});
  }

  /** Loads it again if it was there: a daemon that died may have lost it. */
  async again(): Promise<MissingImage | undefined> {
    return this.#isThere ? this.#load() : undefined;
  }

  #known(missing: MissingImage): void {
    this.#missing = missing;
    this.#loading ??= Promise.resolve(missing);
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
    // Without the image the daemon refuses the request, which the check judges.
    await pending.catch(() => {});
    bounds?.onTurn?.();
  }
}
