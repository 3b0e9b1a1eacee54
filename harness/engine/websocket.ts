import { createHash, randomBytes } from 'node:crypto';
import {
  decodeWebSocketFrames,
  encodeWebSocketMessage,
  type WebSocketFrame,
  WebSocketViolation,
} from '../streams/websocket.ts';
import { Deviation } from '../verdict/outcomes.ts';
import type { Engine } from './engine.ts';
import type { LiveExchange } from './live-exchange.ts';
import type { Query } from './query.ts';

/** A websocket whose opening handshake was sent; its answer is to be judged. */
export interface WebSocketAttempt {
  readonly live: LiveExchange;
  /** What Sec-WebSocket-Accept has to be (RFC 6455, section 4.2.2). */
  readonly acceptKey: string;
}

/** Sends the opening handshake of a websocket client (RFC 6455, section 4.1). */
export async function openWebSocket(engine: Engine, path: string, query: Query): Promise<WebSocketAttempt> {
  const key = randomBytes(16).toString('base64');
  const acceptKey = acceptKeyOf(key);
  const headers = { 'Sec-WebSocket-Key': key, 'Sec-WebSocket-Version': '13' };
  return { live: await engine.open('GET', path, { query, headers, upgrade: 'websocket' }), acceptKey };
}

/** The Sec-WebSocket-Accept that belongs to the key of a client (RFC 6455, section 4.2.2). */
export function acceptKeyOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

/** Sends a message. */
export function sendMessage(live: LiveExchange, text: string, type: 'text' | 'binary' = 'text'): void {
  live.write(encodeWebSocketMessage(type, Buffer.from(text, 'latin1')));
}

/** The complete frames so far. @throws Deviation when the bytes are not frames of a websocket server */
export function webSocketFrames(bytes: Buffer): WebSocketFrame[] {
  try {
    return decodeWebSocketFrames(bytes);
  } catch (error) {
    if (error instanceof WebSocketViolation) throw new Deviation('frames of a websocket', error.message);
    throw error;
  }
}

/** The joined content of the messages in the bytes. */
export function messagesIn(bytes: Buffer): string {
  const data = webSocketFrames(bytes).filter(({ type }) => ['text', 'binary', 'continuation'].includes(type));
  return Buffer.concat(data.map(({ payload }) => payload)).toString('latin1');
}

/** Whether the server has ended the session: by a close frame, or with the connection. */
export function isClosed(live: LiveExchange, bytes: Buffer): boolean {
  return live.ended || webSocketFrames(bytes).some(({ type }) => type === 'close');
}
