import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { RecordedExchange } from '../events.ts';

/** Reads back the exchanges that the worker wrote, one by one; a line that was cut off is passed over. */
export async function* readSpilled(file: string): AsyncIterable<RecordedExchange> {
  if (!existsSync(file)) return;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const exchange = parse(line);
    if (exchange) yield exchange;
  }
}

const chunkSize = 1024 * 1024;

/** Finds single exchanges while the worker still writes. Each byte of the file is looked at once. */
export class SpillIndex {
  readonly #file: string;
  readonly #places = new Map<string, { readonly start: number; readonly length: number }>();
  /** Everything before this offset is in `#places`. */
  #indexed = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @returns undefined when it was not written (yet) */
  async read(id: string): Promise<RecordedExchange | undefined> {
    if (!existsSync(this.#file)) return undefined;
    const handle = await open(this.#file);
    try {
      if (!this.#places.has(id)) await this.#index(handle);
      const place = this.#places.get(id);
      if (!place) return undefined;
      const { buffer } = await handle.read(Buffer.alloc(place.length), 0, place.length, place.start);
      return parse(buffer.toString('utf8'));
    } finally {
      await handle.close();
    }
  }

  async #index(handle: FileHandle): Promise<void> {
    let line: Buffer[] = [];
    let position = this.#indexed;
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(chunkSize), 0, chunkSize, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      let rest = buffer.subarray(0, bytesRead);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        line.push(rest.subarray(0, end));
        this.#place(Buffer.concat(line));
        line = [];
        rest = rest.subarray(end + 1);
      }
      line.push(rest);
    }
  }

  /** The id is the first member of a record. */
  #place(line: Buffer): void {
    const [, id] = /^\{"id":"([^"]*)"/.exec(line.subarray(0, 64).toString('latin1')) ?? [];
    if (id !== undefined) this.#places.set(id, { start: this.#indexed, length: line.length });
    this.#indexed += line.length + 1;
  }
}

/** The file is the run's own, written by `Session`; only its end can be broken. */
function parse(line: string): RecordedExchange | undefined {
  try {
    return JSON.parse(line) as RecordedExchange;
  } catch {
    return undefined;
  }
}
