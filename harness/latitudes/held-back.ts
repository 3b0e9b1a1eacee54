/** Pieces of a stream that are sent a moment later, together. */
export class HeldBack {
  readonly #ms: number;
  readonly #push: (bytes: Buffer) => void;
  #pieces: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param ms how long after the first of them all are sent, in milliseconds */
  constructor(ms: number, push: (bytes: Buffer) => void) {
    this.#ms = ms;
    this.#push = push;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#timer ??= setTimeout(() => this.send(), this.#ms);
  }

  /** Sends what is held now. */
  send(): void {
    this.drop();
    const pieces = this.#pieces;
    this.#pieces = [];
    if (pieces.length > 0) this.#push(Buffer.concat(pieces));
  }

  /** Sends nothing by itself any more. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
