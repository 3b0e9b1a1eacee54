const capacity = 65_536;

/** Bytes on their way to a process's standard input. */
export class InputPipe {
  #chunks: (Buffer | null)[] = [];
  #size = 0;
  #closed = false;
  #waiting: ((chunk: Buffer | null) => void) | undefined;
  #drained: (() => void)[] = [];

  /** Adds bytes; the promise, if any, settles when the reader has caught up. Dropped after the end. */
  push(data: Buffer): Promise<void> | undefined {
    if (this.#closed || data.length === 0) return undefined;
    this.#add(data);
    return this.full();
  }

  /** A promise that settles when there is room again; undefined while there is. */
  full(): Promise<void> | undefined {
    if (this.#size <= capacity || this.#closed) return undefined;
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  /** One end of file, after which more may come: what a terminal sends for ^D. */
  pushEnd(): void {
    if (!this.#closed) this.#add(null);
  }

  /** End of file for good. */
  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting?.(null);
    this.#waiting = undefined;
    this.#release();
  }

  /** The next bytes, or null at the end of file. */
  read(): Promise<Buffer | null> | Buffer | null {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#size -= chunk?.length ?? 0;
      if (this.#size <= capacity) this.#release();
      return chunk;
    }
    if (this.#closed) return null;
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** Removes and returns everything that has not been read. */
  drain(): Buffer {
    const chunks = this.#chunks.splice(0).filter((chunk) => chunk !== null);
    this.#size = 0;
    this.#release();
    return Buffer.concat(chunks);
  }

  /** Puts bytes back in front of the next ones. */
  unread(data: Buffer): void {
    if (data.length === 0) return;
    this.#chunks.unshift(data);
    this.#size += data.length;
  }

  #add(chunk: Buffer | null): void {
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      waiting(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#size += chunk?.length ?? 0;
  }

  #release(): void {
    for (const resolve of this.#drained.splice(0)) resolve();
  }
}
