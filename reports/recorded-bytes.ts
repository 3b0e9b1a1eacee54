import type { RecordedBytes, RecordedExchange } from '../harness/events.ts';

/** The bytes that were kept. */
export function bytesOf(recorded: RecordedBytes): Uint8Array {
  return recorded.base64 === undefined ? Buffer.from(recorded.text ?? '') : Buffer.from(recorded.base64, 'base64');
}

/** At most `limit` of the kept bytes; a character that the cut would break is left out. */
export function cutBytes(recorded: RecordedBytes, limit: number): RecordedBytes {
  const { size, text, base64 } = recorded;
  if (base64 !== undefined) {
    const kept = Math.floor(limit / 3) * 4;
    return base64.length <= kept ? recorded : { size, base64: base64.slice(0, kept), truncated: true };
  }
  if (text === undefined || Buffer.byteLength(text) <= limit) return recorded;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { size, text: decoder.decode(Buffer.from(text).subarray(0, limit), { stream: true }), truncated: true };
}

type Piece = NonNullable<RecordedExchange['stream']>[number];

/** The exchange with each body, and each direction of its stream, cut to `limit` bytes. */
export function cutExchange(exchange: RecordedExchange, limit: number): RecordedExchange {
  const { request, answer, stream } = exchange;
  return {
    ...exchange,
    request: { ...request, body: cutBytes(request.body, limit) },
    ...(answer && { answer: { ...answer, body: cutBytes(answer.body, limit) } }),
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
