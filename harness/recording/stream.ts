import type { RecordedExchange } from '../events.ts';
import { keptBytes, recordBytes } from './bytes.ts';
import type { Redactor } from './redact.ts';

type Direction = 'sent' | 'received';

/** The kept part of bytes that were sent together on a stream. */
export interface StreamedPiece {
  readonly direction: Direction;
  readonly atMs: number;
  readonly bytes: Uint8Array;
  /** Their full length. */
  readonly size: number;
}

/** Keeps the first bytes of each direction of a stream. */
export class StreamRecorder {
  readonly pieces: StreamedPiece[] = [];
  readonly #size = { sent: 0, received: 0 };

  add(direction: Direction, atMs: number, bytes: Uint8Array): void {
    const room = Math.max(0, keptBytes - this.#size[direction]);
    this.#size[direction] += bytes.length;
    if (room > 0 || bytes.length === 0) {
      const kept = Buffer.from(bytes.subarray(0, room));
      this.pieces.push({ direction, atMs, bytes: kept, size: bytes.length });
    }
  }
}

/** The pieces of a stream for a reader, without credentials. */
export function recordStream(
  pieces: readonly StreamedPiece[],
  redactor: Redactor,
): RecordedExchange['stream'] & object {
  const clean = new Map<StreamedPiece, Uint8Array>();
  for (const way of ['sent', 'received'] as const) {
    const own = pieces.filter(({ direction }) => direction === way);
    const redacted = redactor.pieces(own.map(({ bytes }) => bytes));
    for (const [at, piece] of own.entries()) clean.set(piece, redacted[at] ?? piece.bytes);
  }
  return pieces.map((piece) => ({
    direction: piece.direction,
    atMs: piece.atMs,
    ...recordBytes(clean.get(piece) ?? piece.bytes, redactor, piece.size),
  }));
}
