/** How many checks run at once, in the order in which they came. A check that only waits can lend its place. */
export class Places {
  /** Below zero when a place was taken back before the check that it was lent to ended. */
  #free: number;
  readonly #mostLent: number;
  readonly #queue: (() => void)[] = [];
  #lent = 0;

  constructor(count: number) {
    this.#free = count;
    // With one place, a check is to be alone.
    this.#mostLent = 2 * (count - 1);
  }

  /**
   * Runs something as soon as there is a place for it.
   * @param mostMs how long it may take from then on, in milliseconds
   * @throws Error when it takes longer
   */
  async in(mostMs: number, run: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    const limit = Number.isFinite(mostMs) ? limitOf(mostMs) : undefined;
    try {
      await (limit ? Promise.race([run(), limit.over]) : run());
    } finally {
      limit?.end();
      this.#leave();
    }
  }

  /** Lets another check begin until something is over, unless many do already. */
  async lentDuring<T>(waits: () => Promise<T>): Promise<T> {
    if (this.#lent >= this.#mostLent) return waits();
    this.#lent++;
    this.#leave();
    try {
      return await waits();
    } finally {
      this.#lent--;
      this.#free--;
    }
  }

  #leave(): void {
    this.#free++;
    if (this.#free <= 0) return;
    const next = this.#queue.shift();
    if (!next) return;
    this.#free--;
    next();
  }
}

function limitOf(mostMs: number): { readonly over: Promise<never>; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it still runs after ${mostMs} ms`)), mostMs);
  });
  return { over, end: () => clearTimeout(timer) };
}
