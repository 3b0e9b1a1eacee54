import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { RecordedExchange, WantedExchange } from '../events.ts';

/** The worker's side of the file: moves finished exchanges out of memory, one JSON text per line. */
export class SpillWriter {
  readonly #file: string | undefined;
  #descriptor: number | undefined;
  #closed = false;

  /** @param file absent where nobody reads them back */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** The exchange can be read back when this returns. */
  write(record: () => RecordedExchange): void {
    // What ends after the last check is not evidence.
    if (this.#closed || this.#file === undefined) return;
    this.#descriptor ??= openSync(this.#file, 'a');
    const line = Buffer.from(`${JSON.stringify(record())}\n`);
    for (let written = 0; written < line.length; ) written += writeSync(this.#descriptor, line, written);
  }

  close(): void {
    this.#closed = true;
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

const chunkSize = 1024 * 1024;
const newline = 10;

/**
 * Reads back the exchanges that the worker wrote, one by one; a truncated line is skipped.
 * @param wanted default: all; the others are not even parsed
 */
export async function* readSpilled(file: string, wanted: WantedExchange = () => true): AsyncIterable<RecordedExchange> {
  if (!existsSync(file)) return;
  const handle = await open(file);
  try {
    for await (const { line } of linesOf(handle, 0)) {
      const known = knownOf(line);
      const exchange = known && wanted(known) ? parse(line.toString('utf8')) : undefined;
      if (exchange) yield exchange;
    }
  } finally {
    await handle.close();
  }
}

/** Finds single exchanges while the worker still writes. Each byte of the file is read once. */
export class SpillIndex {
  readonly #file: string;
  readonly #places = new Map<string, { readonly start: number; readonly length: number }>();
  /** Everything before this offset is in `#places`. */
  #indexed = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @returns undefined when it was not written, or not yet */
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
    for await (const { line, start } of linesOf(handle, this.#indexed)) {
      const known = knownOf(line);
      if (known) this.#places.set(known.id, { start, length: line.length });
      this.#indexed = start + line.length + 1;
    }
  }
}

/** The complete lines from an offset on, with the offset of each. */
async function* linesOf(handle: FileHandle, from: number): AsyncIterable<{ line: Buffer; start: number }> {
  let start = from;
  let begun: Buffer[] = [];
  for (let position = from; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    let rest = buffer.subarray(0, bytesRead);
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      const line = begun.length > 0 ? Buffer.concat([...begun, rest.subarray(0, end)]) : rest.subarray(0, end);
      begun = [];
      yield { line, start };
      start += line.length + 1;
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) begun.push(rest);
  }
}

/** What is known about a record from its first two members, which fit into this many bytes. */
function knownOf(line: Buffer): Pick<RecordedExchange, 'id' | 'madeFor'> | undefined {
  const [, id, madeFor] = /^\{"id":"([^"]*)","madeFor":"([^"\\]*)"/.exec(line.toString('latin1', 0, 512)) ?? [];
  return id === undefined || madeFor === undefined ? undefined : { id, madeFor };
}

/** The file is the run's own, written by `Session`; only its end can be damaged. */
function parse(line: string): RecordedExchange | undefined {
  try {
    // biome-ignore lint/plugin: the run has written the line itself
    return JSON.parse(line) as RecordedExchange;
  } catch {
    return undefined;
  }
}
