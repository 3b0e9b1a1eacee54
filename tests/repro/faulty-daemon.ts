import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Fault } from '../../harness/faults/fault.ts';
import { faultyTransport } from '../../harness/faults/faulty-transport.ts';
import type { Latitude } from '../../harness/latitudes/latitude.ts';
import { latitudinalTransport } from '../../harness/latitudes/latitudinal-transport.ts';
import { type Address, parseAddress } from '../../harness/target/address.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import type { Transport, WireHead, WireRequest } from '../../harness/transport/wire.ts';
import { newSocketPath } from '../harness/servers.ts';

const bounds = { wholeMs: 60_000 };
/** What goes on without an end is passed on as it comes. */
const isLive = /\/(?:events|attach(?:\/ws)?|stats|start|logs)(?:\?|$)/;

/** A daemon on a socket of its own that is another one with a fault, and with latitudes. */
export async function faultyDaemon(
  right: Address,
  fault: Fault,
  endpoint: string,
  latitudes: readonly Latitude[] = [],
): Promise<Address> {
  const transport = latitudinalTransport(faultyTransport(undiciTransport(right), fault, endpoint), latitudes);
  const server = http.createServer((request, answer) => {
    answered(transport, request, answer).catch(() => answer.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    upgraded(transport, request, socket).catch(() => socket.destroy());
  });
  const socketPath = newSocketPath();
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await transport.close();
  });
  return parseAddress(`unix://${socketPath}`);
}

async function answered(transport: Transport, request: IncomingMessage, answer: ServerResponse): Promise<void> {
  const wire = await wireRequest(request);
  if (request.method === 'GET' && isLive.test(wire.path)) {
    const live = await transport.open(wire, { ...bounds, upgrade: undefined });
    answer.once('close', () => live.destroy());
    answer.writeHead(live.status, headersOf(live));
    answer.flushHeaders();
    live.incoming.once('error', () => answer.destroy());
    live.incoming.pipe(answer);
    return;
  }
  const whole = await transport.exchange(wire, bounds);
  answer.writeHead(whole.status, headersOf(whole));
  answer.end(whole.body);
}

async function upgraded(transport: Transport, request: IncomingMessage, socket: Duplex): Promise<void> {
  const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
  const wire = await wireRequest(request);
  const live = await transport.open(wire, { ...bounds, upgrade: isWebSocket ? 'websocket' : 'tcp' });
  const lines = live.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`HTTP/1.1 ${live.status} Status\r\n${lines}\r\n`);
  for (const one of [live.incoming, live.outgoing, socket]) one.on('error', () => {});
  live.incoming.pipe(socket);
  socket.pipe(live.outgoing);
  socket.once('close', () => live.destroy());
}

async function wireRequest(request: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  if (request.headers.upgrade === undefined) for await (const chunk of request) chunks.push(chunk);
  const {
    host: _,
    connection: __,
    upgrade: ___,
    'content-length': ____,
    'transfer-encoding': _____,
    ...kept
  } = request.headers;
  const headers = Object.entries(kept).map(([name, value]) => [name, [value].flat().join(', ')] as const);
  const body = Buffer.concat(chunks);
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: Object.fromEntries(headers),
    ...(body.length > 0 && { body }),
  };
}

/** What belongs to the connection is not passed on. */
function headersOf({ headers }: WireHead): string[] {
  const passed = headers.filter(
    ([name]) => !/^(?:connection|keep-alive|transfer-encoding|content-length)$/i.test(name),
  );
  return passed.flat();
}
