/**
 * What the tests of a run wait for before they begin. A run has thousands of tests that all wait at the beginning: what
 * waits here costs a promise, while a test that vitest's runner has begun costs some 13 kB.
 */
export class Turns {
  readonly #waits: (() => Promise<void>)[] = [];

  /** @returns the number by which a test finds its turn again */
  add(wait: () => Promise<void>): number {
    return this.#waits.push(wait) - 1;
  }

  /** Is fulfilled when a test may begin. One without a turn waits for nothing. */
  async of(turn: number | undefined): Promise<void> {
    if (turn !== undefined) await this.#waits[turn]?.();
  }
}
