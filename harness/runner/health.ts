import type { ApiVersion } from '../../specs/versions.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport } from '../transport/wire.ts';

const lookMs = 5_000;

/** Tells whether the target still answers at all, so that a dead one costs seconds and not a time-out per check. */
export class Health {
  readonly #transport: Transport;
  readonly #api: ApiVersion;
  #looking: Promise<void> | undefined;
  lost: string | undefined;

  constructor(transport: Transport, api: ApiVersion) {
    this.#transport = transport;
    this.#api = api;
  }

  /** Asks for a sign of life; checks that ask at the same time share one request. */
  async look(): Promise<void> {
    this.#looking ??= this.#ping().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #ping(): Promise<void> {
    try {
      const request = { method: 'GET', path: `/v${this.#api}/_ping`, headers: {} };
      await this.#transport.exchange(request, { wholeMs: lookMs });
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      this.lost = error.message;
    }
  }
}
