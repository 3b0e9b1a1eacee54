/** An endpoint hangs where it had answered, and waits timed out so often one after another, and for so long. */
const roundsOfHang = 3;
const hangMs = 60_000;

/** The bound of the next wait while the daemon hangs, after so many rounds. */
const bounds = [
  { after: 8, boundMs: 500 },
  { after: 1, boundMs: 2_000 },
] as const;

/** The time since an endpoint that had answered last answered. */
export class Silence {
  /** Waits that timed out one after another. Those at the same time are one round: what delays one delays them all. */
  #rounds = 0;
  #begunAt = 0;
  #endedAt = 0;

  /** @param begunAt when the wait began, by `performance.now()` */
  timedOut(begunAt: number): void {
    if (this.#rounds > 0 && begunAt < this.#endedAt) return;
    if (this.#rounds === 0) this.#begunAt = begunAt;
    this.#rounds++;
    this.#endedAt = performance.now();
  }

  end(): void {
    this.#rounds = 0;
  }

  /** Whether it is so long that the endpoint hangs. */
  get isHang(): boolean {
    return this.#rounds >= roundsOfHang && this.#endedAt - this.#begunAt >= hangMs;
  }

  /** Whether a wait has timed out lately, so that it is known to last. */
  get isRecent(): boolean {
    return performance.now() - this.#endedAt < hangMs;
  }

  /** The bound of the next wait if the daemon hangs; undefined while nothing has timed out here. */
  get boundMs(): number | undefined {
    return bounds.find(({ after }) => this.#rounds >= after)?.boundMs;
  }
}
