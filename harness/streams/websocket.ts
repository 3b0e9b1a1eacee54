import { randomBytes } from 'node:crypto';
import { StreamViolation } from './violation.ts';

type WebSocketFrameType = 'continuation' | 'text' | 'binary' | 'close' | 'ping' | 'pong';

const opcodes: Readonly<Record<number, WebSocketFrameType>> = {
  0: 'continuation',
  1: 'text',
  2: 'binary',
  8: 'close',
  9: 'ping',
  10: 'pong',
};

/** One frame of a websocket (RFC 6455, section 5.2). */
export interface WebSocketFrame {
  readonly type: WebSocketFrameType;
  readonly last: boolean;
  readonly payload: Buffer;
}

/** Bytes that are not frames of a websocket server. */
export class WebSocketViolation extends StreamViolation {
  override readonly name = 'WebSocketViolation';
}

/**
 * The complete frames at the start of what a websocket server has sent (RFC 6455, section 5.2, and 5.1: a server does
 * not mask), without an incomplete last one.
 * @throws WebSocketViolation at the first byte that is not allowed
 */
export function decodeWebSocketFrames(bytes: Buffer): WebSocketFrame[] {
  const frames: WebSocketFrame[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const [first, second] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)];
    const type = opcodes[first & 0x0f];
    if ((first & 0x70) !== 0 || type === undefined || (second & 0x80) !== 0) {
      const says = (second & 0x80) !== 0 ? 'a masked frame of a server' : 'no first byte of a frame';
      throw new WebSocketViolation(says, at, bytes.subarray(at));
    }
    const header = headerAt(bytes, at, second & 0x7f);
    if (!header || at + header.length + header.size > bytes.length) break;
    const begin = at + header.length;
    frames.push({ type, last: (first & 0x80) !== 0, payload: bytes.subarray(begin, begin + header.size) });
    at = begin + header.size;
  }
  return frames;
}

/** The length of a frame's header and the size of its payload; undefined while the header is incomplete. */
function headerAt(bytes: Buffer, at: number, short: number): { length: number; size: number } | undefined {
  if (short < 126) return { length: 2, size: short };
  const length = short === 126 ? 4 : 10;
  if (at + length > bytes.length) return undefined;
  return { length, size: short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2)) };
}

/** A text or binary message of a client in one frame, masked (RFC 6455, section 5.3). */
export function encodeWebSocketMessage(type: 'text' | 'binary', payload: Uint8Array): Buffer {
  if (payload.length > 125) throw new Error('the suite sends short messages only');
  const mask = randomBytes(4);
  const masked = Buffer.from(payload.map((byte, i) => byte ^ mask.readUInt8(i % 4)));
  return Buffer.concat([Buffer.from([type === 'text' ? 0x81 : 0x82, 0x80 | payload.length]), mask, masked]);
}
