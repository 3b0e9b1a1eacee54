import type { RecordedBytes, RecordedExchange } from '../harness/events.ts';
import type { TextSpan } from './json-span.ts';

/** The bytes that were kept. */
export function bytesOf(recorded: RecordedBytes): Uint8Array {
  return recorded.base64 === undefined ? Buffer.from(recorded.text ?? '') : Buffer.from(recorded.base64, 'base64');
}

/** Whether bytes are text to a reader: anything with a NUL, such as frames and archives, is not. */
export function isText({ base64, text = '' }: RecordedBytes): boolean {
  return base64 === undefined && !text.includes('\0');
}

/** Bytes of which a part is shown to a reader. */
export interface ShownBytes extends RecordedBytes {
  /** The number of characters before the part that is shown. */
  readonly skipped?: number;
}

/**
 * At most `limit` of the kept bytes, without a character that the cut would split.
 * @param around a part that must be included
 */
export function cutBytes(recorded: RecordedBytes, limit: number, around?: TextSpan): ShownBytes {
  const { size, text, base64 } = recorded;
  if (text !== undefined && around && Buffer.byteLength(text.slice(0, around.end)) > limit) {
    const skipped = Math.max(0, around.begin - Math.floor(limit / 4));
    if (skipped > 0) return { ...cutBytes({ size, text: text.slice(skipped), truncated: true }, limit), skipped };
  }
  if (base64 !== undefined) {
    const kept = Math.floor(limit / 3) * 4;
    return base64.length <= kept ? recorded : { size, base64: base64.slice(0, kept), truncated: true };
  }
  if (text === undefined || Buffer.byteLength(text) <= limit) return recorded;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { size, text: decoder.decode(Buffer.from(text).subarray(0, limit), { stream: true }), truncated: true };
}

interface ShownAnswer {
  readonly answer?: NonNullable<RecordedExchange['answer']> & { readonly body: ShownBytes };
}

type Piece = NonNullable<RecordedExchange['stream']>[number];

/**
 * The exchange with each body, and each direction of its stream, truncated to `limit` bytes.
 * @param around where its answer deviates
 */
export function cutExchange(
  exchange: RecordedExchange,
  limit: number,
  around?: TextSpan,
): Omit<RecordedExchange, 'answer'> & ShownAnswer {
  const { request, answer, stream } = exchange;
  return {
    ...exchange,
    request: { ...request, body: cutBytes(request.body, limit) },
    ...(answer && { answer: { ...answer, body: cutBytes(answer.body, limit, around) } }),
    ...(stream && { stream: cutStream(stream, limit) }),
  };
}

function cutStream(stream: readonly Piece[], limit: number): Piece[] {
  const room = { sent: limit, received: limit };
  const rest: Partial<Record<Piece['direction'], Piece>> = {};
  const kept: Piece[] = [];
  for (const piece of stream) {
    const { direction } = piece;
    const earlier = rest[direction];
    if (earlier) {
      rest[direction] = { ...earlier, size: earlier.size + piece.size };
    } else if (room[direction] <= 0 && piece.size > 0) {
      rest[direction] = { direction, atMs: piece.atMs, size: piece.size, text: '', truncated: true };
    } else {
      const cut = { ...piece, ...cutBytes(piece, room[direction]) };
      room[direction] -= cut.size;
      kept.push(cut);
    }
  }
  return [...kept, ...Object.values(rest)];
}
