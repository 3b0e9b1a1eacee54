import { once } from 'node:events';
import { createGzip } from 'node:zlib';

/** Limit in characters of packed texts in one page; the rest is left out. */
const room = 3 * 1024 * 1024;

/** Characters that are compressed at once: each time waits for another thread. */
const compressed = 64 * 1024;

/** A JSON list, compressed and in base64, for data that few readers of a page look at. */
export class PackedList<Item> {
  readonly #gzip = createGzip();
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #text = '';
  #separator = '[';

  constructor() {
    this.#gzip.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
    });
  }

  async add(item: Item): Promise<void> {
    if ((this.#size * 4) / 3 > room) return;
    this.#text += this.#separator + JSON.stringify(item);
    this.#separator = ',\n';
    if (this.#text.length < compressed) return;
    const isTaken = this.#gzip.write(this.#text);
    this.#text = '';
    if (!isTaken) await once(this.#gzip, 'drain');
  }

  async end(): Promise<string> {
    this.#gzip.end(`${this.#text}${this.#separator === '[' ? '[]' : ']'}`);
    await once(this.#gzip, 'end');
    return Buffer.concat(this.#chunks).toString('base64');
  }
}
