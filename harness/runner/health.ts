import { TransportError } from '../transport/errors.ts';
import type { Transport, WireRequest } from '../transport/wire.ts';

const lookMs = 5_000;
/** A daemon on a busy machine may miss one bound and be well. */
const looks = 3;

/** Tells whether the target still answers at all, so that a dead one costs seconds and not a time-out per check. */
export class Health {
  readonly #transport: Transport;
  readonly #request: WireRequest;
  #looking: Promise<void> | undefined;
  lost: string | undefined;

  /** @param request what a daemon that is well answers in any way */
  constructor(transport: Transport, request: WireRequest) {
    this.#transport = transport;
    this.#request = request;
  }

  /** Asks for a sign of life; checks that ask at the same time share one request. */
  async look(): Promise<void> {
    this.#looking ??= this.#ping().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #ping(): Promise<void> {
    for (let look = 1; ; look++) {
      try {
        await this.#transport.exchange(this.#request, { wholeMs: lookMs });
        return;
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        if (look < looks && error.failure !== 'unreachable') continue;
        this.lost = error.message;
        return;
      }
    }
  }
}
