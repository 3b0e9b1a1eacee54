import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Address, parseAddress } from '../../harness/target/address.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import type { Transport } from '../../harness/transport/wire.ts';
import { workplace } from '../workplace.ts';

let count = 0;

export function newSocketPath(): string {
  count++;
  return path.join(workplace, `${count}.sock`);
}

/** Listens on a new socket until the test ends. */
export async function listen(server: net.Server): Promise<Address> {
  return parseAddress(await listenAt(server));
}

/** The same. @returns the address as text, for --target */
export async function listenAt(server: net.Server): Promise<string> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  const socketPath = newSocketPath();
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `unix://${socketPath}`;
}

/** An answer that never ends, in pieces of a MiB. */
export function answersForEver(_request: http.IncomingMessage, answer: http.ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024);
  const write = () => {
    while (answer.write(piece));
  };
  answer.on('drain', write);
  write();
}

/** A server of HTTP that keeps the protocol. */
export function httpServer(answer: http.RequestListener): Promise<Address> {
  return listen(http.createServer(answer));
}

/**
 * A server that sends any bytes it likes: each connection is given once its request is there, with the bytes of the
 * request.
 */
export function rawServer(answer: RawAnswer): Promise<Address> {
  return listen(rawListener(answer));
}

/** The same over TCP, which knows resets. */
export async function rawTcpServer(answer: RawAnswer): Promise<Address> {
  const server = rawListener(answer);
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const at = server.address();
  return parseAddress(`tcp://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`);
}

type RawAnswer = (socket: net.Socket, request: string) => void;

function rawListener(answer: RawAnswer): net.Server {
  return net.createServer({ allowHalfOpen: true }, (socket) => {
    let request = '';
    const read = (chunk: Buffer) => {
      request += chunk.toString('latin1');
      if (!request.includes('\r\n\r\n')) return;
      socket.off('data', read).pause();
      answer(socket, request);
    };
    socket.on('data', read);
  });
}

/** The transport of the harness, closed when the test ends. */
export function transportTo(address: Address): Transport {
  const transport = undiciTransport(address);
  onTestFinished(() => transport.close());
  return transport;
}
