import { lookUntil } from '../engine/look-until.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireRequest } from '../transport/wire.ts';

const lookMs = 5_000;
/** A healthy daemon on a busy machine may miss one bound. */
const looks = 3;

export interface HealthOptions {
  /** How long to wait for a target that is gone; 0 when nobody restarts it. */
  readonly waitMs: number;
  /** Prepares a target that came back for checks. @returns why it can no longer be used */
  readonly cameBack: () => Promise<string | undefined>;
}

/** Finds out whether the target still answers at all, so that a dead one costs seconds and not a time-out per check. */
export class Health {
  readonly #transport: Transport;
  readonly #request: WireRequest;
  readonly #options: HealthOptions | undefined;
  #looking: Promise<void> | undefined;
  lost: string | undefined;
  /** How the target died, for each time that it came back. */
  readonly deaths: string[] = [];

  /**
   * @param request what a healthy daemon answers in any way
   * @param options given when a supervisor restarts the target
   */
  constructor(transport: Transport, request: WireRequest, options?: HealthOptions) {
    this.#transport = transport;
    this.#request = request;
    this.#options = options;
  }

  /** Asks for a sign of life; concurrent calls share one request. */
  async look(): Promise<void> {
    this.#looking ??= this.#see().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  /** Waits for a look in progress. */
  async known(): Promise<void> {
    await this.#looking;
  }

  async #see(): Promise<void> {
    const death = await this.#ping(looks);
    if (death === undefined) return;
    if (!this.#options || !(await this.#returns(this.#options.waitMs))) {
      this.lost = this.#options ? `${death}; it did not come back in ${this.#options.waitMs / 1_000} s` : death;
      return;
    }
    const unfit = await this.#options.cameBack();
    if (unfit === undefined) this.deaths.push(death);
    else this.lost = `${death}; it came back, but ${unfit}`;
  }

  async #returns(withinMs: number): Promise<boolean> {
    const death = await lookUntil(
      () => this.#ping(1),
      (seen) => seen === undefined,
      withinMs,
    );
    return death === undefined;
  }

  /** Why there is no sign of life; undefined when there is one. */
  async #ping(times: number): Promise<string | undefined> {
    for (let look = 1; ; look++) {
      try {
        await this.#transport.exchange(this.#request, { wholeMs: lookMs });
        return undefined;
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        if (look < times && error.failure !== 'unreachable') continue;
        return error.message;
      }
    }
  }
}
