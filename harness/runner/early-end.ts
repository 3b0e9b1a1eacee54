/**
 * The end of a run before its time. A promise of it in `Promise.race` would hold on to everything that it was ever raced
 * with, as long as the run goes on.
 */
export class EarlyEnd {
  readonly #waiting = new Set<() => void>();
  #hasCome = false;

  get hasCome(): boolean {
    return this.#hasCome;
  }

  come(): void {
    this.#hasCome = true;
    for (const end of this.#waiting) end();
  }

  /** What a promise becomes, or undefined if the run ends early before that. */
  async unless<T>(promise: Promise<T>): Promise<T | undefined> {
    let end = () => {};
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        promise.then(resolve, reject);
        end = () => resolve(undefined);
        if (this.#hasCome) end();
        else this.#waiting.add(end);
      });
    } finally {
      this.#waiting.delete(end);
    }
  }
}
