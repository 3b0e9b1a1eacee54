/** The first bytes of a body, and the total number. */
export class BodyBeginning {
  readonly #limit: number;
  readonly #pieces: Buffer[] = [];
  #room: number;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#room = limit;
  }

  add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#room === 0 || bytes.length === 0) return;
    // A copy, because the chunk it belongs to is larger.
    const piece = Buffer.from(bytes.subarray(0, this.#room));
    this.#room -= piece.length;
    this.#pieces.push(piece);
  }

  /** Number of bytes that passed. */
  get size(): number {
    return this.#size;
  }

  get isWhole(): boolean {
    return this.#size <= this.#limit;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  /** Returns what was kept, and starts again. */
  take(): Buffer {
    const { bytes } = this;
    this.#pieces.length = 0;
    this.#room = this.#limit;
    this.#size = 0;
    return bytes;
  }
}
