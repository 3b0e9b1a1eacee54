import { afterBound } from '../transport/after-bound.ts';

/** How many checks run at once, in the order in which they came. A check that only waits can lend or leave its place. */
export class Places {
  /** Below zero when a place was taken back before the check that it was lent to ended. */
  #free: number;
  readonly #count: number;
  readonly #beginning: (() => void)[] = [];
  readonly #returning: (() => void)[] = [];
  #lent = 0;

  constructor(count: number) {
    this.#free = count;
    this.#count = count;
  }

  /** Waits for a place, which `inside` gives back. */
  enter(): Promise<void> {
    return this.#enter(this.#beginning);
  }

  /** The same before all that have not begun. */
  enterNext(): Promise<void> {
    return this.#enter(this.#returning);
  }

  /**
   * Runs something in the place that was entered for it, and leaves it.
   * @param mostMs how long it may take, in milliseconds
   * @throws Error when it takes longer
   */
  async inside(mostMs: number, run: () => Promise<void>): Promise<void> {
    const limit = limitOf(mostMs);
    try {
      await Promise.race([run(), limit.over]);
    } finally {
      limit.end();
      this.#leave();
    }
  }

  /**
   * Lets other checks begin until something is over, and then waits for a place, before all that have not begun. For
   * what many may wait for at once.
   */
  async leftDuring<T>(waits: () => Promise<T>): Promise<T> {
    // A check is to be alone.
    if (this.#count === 1) return waits();
    this.#leave();
    try {
      return await waits();
    } finally {
      await this.#enter(this.#returning);
    }
  }

  /**
   * Lets another check begin until something is over, unless many do already. Then the check goes on at once.
   * @param most how many checks may run then, with those that have lent their places
   */
  async lentDuring<T>(waits: () => Promise<T>, most = Number.POSITIVE_INFINITY): Promise<T> {
    // With one place none is lent, as a check is to be alone.
    if (this.#lent >= Math.min(2 * (this.#count - 1), most - this.#count)) return waits();
    this.#lent++;
    this.#leave();
    try {
      return await waits();
    } finally {
      this.#lent--;
      this.#free--;
    }
  }

  async #enter(queue: (() => void)[]): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
  }

  #leave(): void {
    this.#free++;
    if (this.#free <= 0) return;
    const next = this.#returning.shift() ?? this.#beginning.shift();
    if (!next) return;
    this.#free--;
    next();
  }
}

function limitOf(mostMs: number): { readonly over: Promise<never>; end(): void } {
  let end = () => {};
  const over = new Promise<never>((_, reject) => {
    end = afterBound(mostMs, () => reject(new Error(`it still runs after ${mostMs} ms`)));
  });
  return { over, end };
}
