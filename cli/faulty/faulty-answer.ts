import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Fault } from '../../harness/faults/fault.ts';
import type { Transport, WireHead, WireRequest } from '../../harness/transport/wire.ts';
import { withoutUpgrade } from '../../reference/http/line.ts';

/** A client may wait as long as it likes; this is the longest that a timer supports. */
const bounds = { wholeMs: 2 ** 31 - 1 };
/** Endless answers are passed on as they come. */
const isLive = /\/(?:events|attach(?:\/ws)?|stats|start|logs)(?:\?|$)/;

/** Answers a request with faults between the client and the engine. */
export async function answerFaulty(
  transport: Transport,
  faults: readonly Fault[],
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const wire = wireRequest(request, await wholeBody(request));
  if (isStreamed(faults, wire)) {
    const live = await transport.open(wire, { ...bounds, upgrade: undefined });
    answer.once('close', () => live.destroy());
    answer.writeHead(live.status, passedOn(live));
    answer.flushHeaders();
    live.incoming.once('error', () => answer.destroy());
    live.incoming.pipe(answer);
    return;
  }
  const whole = await transport.exchange(wire, bounds);
  answer.writeHead(whole.status, passedOn(whole));
  answer.end(whole.body);
}

/** A fault that only changes the bytes of a stream needs one. */
function isStreamed(faults: readonly Fault[], { method, path }: WireRequest): boolean {
  const ofStreams = faults.some(({ answer, incoming }) => incoming !== undefined && answer === undefined);
  return ofStreams || (method === 'GET' && isLive.test(path));
}

/** Answers an upgrade request with faults between the client and the engine. */
export async function upgradeFaulty(
  transport: Transport,
  request: IncomingMessage,
  line: Duplex,
  head: Buffer,
): Promise<void> {
  const asked = request.headers.upgrade?.toLowerCase();
  const upgrade = asked === withoutUpgrade ? undefined : asked === 'websocket' ? 'websocket' : 'tcp';
  const body = await bodyOf(line, head, Number(request.headers['content-length'] ?? 0));
  const live = await transport.open(wireRequest(request, body), { ...bounds, upgrade });
  // Without an upgrade the connection ends with the answer.
  const fields = live.upgraded ? live.headers : [...endless(live), ['connection', 'close'] as const];
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  line.write(Buffer.from(`HTTP/1.1 ${live.status} Answered\r\n${lines}\r\n`, 'latin1'));
  for (const one of [live.incoming, live.outgoing]) one.on('error', () => line.destroy());
  live.incoming.pipe(line);
  line.pipe(live.outgoing);
  line.once('close', () => live.destroy());
}

async function wholeBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The body of an upgrade request, after which the bytes of the new protocol begin. */
async function bodyOf(line: Duplex, head: Buffer, length: number): Promise<Buffer> {
  let read = head;
  while (read.length < length) {
    const chunk: Buffer | null = line.read();
    if (chunk) read = Buffer.concat([read, chunk]);
    else await new Promise<void>((resolve) => line.once('readable', resolve));
  }
  const rest = read.subarray(length);
  if (rest.length > 0) line.unshift(rest);
  return read.subarray(0, length);
}

const ofTheLine = /^(?:host|connection|upgrade|keep-alive|transfer-encoding|content-length)$/i;

function wireRequest({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): WireRequest {
  const kept = Object.entries(headers).filter(([name]) => !ofTheLine.test(name));
  return {
    method,
    path: url,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, [value].flat().join(', ')])),
    ...(body.length > 0 && { body }),
  };
}

/** Headers of the connection itself are not passed on. */
function endless({ headers }: WireHead): WireHead['headers'] {
  return headers.filter(([name]) => !ofTheLine.test(name));
}

function passedOn(head: WireHead): string[] {
  return endless(head).flat();
}
