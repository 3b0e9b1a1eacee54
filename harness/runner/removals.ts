import { preparingMs } from '../transport/bounded-transport.ts';
import { Silence } from '../transport/silence.ts';

/** Bound of an exchange that removes what was made, in milliseconds. */
const removeMs = 30_000;

/**
 * How long a run waits for the removal of what checks and fixtures made. Where a daemon has answered no removal for a
 * while, each would cost its whole bound: then the waits are cut, until one is answered in time. What is not removed
 * stays in the journal, for the end of the run.
 */
export class Removals {
  readonly #silence = new Silence();
  readonly #wholeMs: number;
  readonly #cuts: boolean;

  /**
   * @param timeoutMs the bound of judged exchanges
   * @param cuts whether waits are ever cut: on a slow daemon time-outs do not show that something never comes
   */
  constructor(timeoutMs: number, { cuts }: { readonly cuts: boolean }) {
    this.#wholeMs = Math.min(removeMs, preparingMs(timeoutMs));
    this.#cuts = cuts;
  }

  /** The bound of the next exchange, in milliseconds. */
  get boundMs(): number {
    const { isHang, boundMs = this.#wholeMs } = this.#silence;
    return this.#cuts && isHang ? Math.min(boundMs, this.#wholeMs) : this.#wholeMs;
  }

  /**
   * Notes how the removals of one check ended.
   * @param begunAt when they began, by `performance.now()`
   * @param isAnswered whether all that was asked was answered; undefined where nothing was asked
   */
  ended(begunAt: number, isAnswered: boolean | undefined): void {
    if (isAnswered === true) this.#silence.end();
    if (isAnswered === false) this.#silence.timedOut(begunAt);
  }
}
