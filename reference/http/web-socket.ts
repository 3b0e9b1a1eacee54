import type { IncomingMessage, ServerResponse } from 'node:http';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { badParameter } from '../errors.ts';
import { Duct } from './duct.ts';
import type { Line } from './line.ts';

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: 16 * 1024 * 1024,
  // The engine knows none of the subprotocols that a client may offer.
  handleProtocols: () => false,
});

/** Throws 400 unless the request is a handshake of RFC 6455, section 4.2.1. */
export function checkHandshake({ req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse }): void {
  if (req.headers.upgrade?.toLowerCase() !== 'websocket') throw badParameter('the request asks for no websocket');
  if (!/^[+/0-9A-Za-z]{22}==$/.test(req.headers['sec-websocket-key'] ?? ''))
    throw badParameter('Sec-WebSocket-Key is missing or no key');
  if (req.headers['sec-websocket-version'] === '13') return;
  res.setHeader('Sec-WebSocket-Version', '13');
  throw badParameter('Sec-WebSocket-Version is not 13');
}

/** Answers a handshake with 101 and opens the websocket as a duct. */
export function acceptWebSocket(
  req: IncomingMessage,
  { line, head }: { readonly line: Line; readonly head: Buffer },
  open: (duct: Duct) => void,
  binary: boolean,
): void {
  server.handleUpgrade(req, line, head, (socket) => {
    const stream = createWebSocketStream(socket, { allowHalfOpen: false });
    // The stream sends bytes as binary messages.
    if (!binary) stream._write = (bytes: Buffer, _encoding, sent) => socket.send(bytes, { binary }, sent);
    stream.on('error', () => {});
    open(new Duct(stream, stream));
  });
}
