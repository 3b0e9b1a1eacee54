import type { Readable, Writable } from 'node:stream';

/** A hijacked connection: bytes out, and bytes in from the client until its end. */
export class Duct {
  readonly #output: Writable;
  readonly #input: Readable | undefined;
  #closed = false;
  /** Settles when the client has room again; shared by all who wait. */
  #drained: Promise<void> | undefined;

  constructor(output: Writable, input: Readable | undefined) {
    this.#output = output;
    this.#input = input;
    const close = (): void => {
      this.#closed = true;
    };
    output.once('close', close);
    output.on('error', close);
  }

  get closed(): boolean {
    return this.#closed || this.#output.destroyed;
  }

  /** Writes; the promise, if any, settles when the client has room for more or is gone. */
  write(data: Buffer): Promise<void> | undefined {
    if (this.closed || this.#output.writableEnded) return undefined;
    if (this.#output.write(data)) return undefined;
    this.#drained ??= new Promise((resolve) => {
      const settle = (): void => {
        this.#output.off('drain', settle).off('close', settle).off('error', settle);
        this.#drained = undefined;
        resolve();
      };
      this.#output.on('drain', settle).on('close', settle).on('error', settle);
    });
    return this.#drained;
  }

  /** Calls `data` for each chunk of the client (waiting for its promise) and `end` once when the client is done. */
  receive(data: (chunk: Buffer) => Promise<void> | undefined, end: () => void): void {
    const input = this.#input;
    let ended = false;
    const finish = (): void => {
      if (!ended) end();
      ended = true;
    };
    this.#output.once('close', finish);
    if (!input) return;
    input.on('data', (chunk: Buffer) => {
      const busy = data(chunk);
      if (!busy) return;
      input.pause();
      const resume = (): void => {
        input.resume();
      };
      busy.then(resume, resume);
    });
    input.on('end', finish);
    input.on('close', finish);
    input.on('error', finish);
  }

  onClose(action: () => void): void {
    if (this.closed) action();
    else this.#output.once('close', action);
  }

  /** Ends the connection after what was written. What the client still sends is dropped. */
  end(): void {
    if (this.closed || this.#output.writableEnded) return;
    const output = this.#output;
    output.once('finish', () => {
      // A client that keeps its half open after the end must not keep the connection forever.
      const timer = setTimeout(() => output.destroy(), 2000);
      timer.unref();
      output.once('close', () => clearTimeout(timer));
    });
    output.end();
    this.#input?.resume();
  }
}
