import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { parseAddress } from '../../harness/target/address.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import { Line } from '../../reference/http/line.ts';
import { listenerFor } from '../../reference/http/server.ts';
import { type ReferenceEngine, type ReferenceEngineOptions, startReferenceEngine } from '../../reference/index.ts';
import { newestDocumented } from '../../specs/versions.ts';
import { answerFaulty, upgradeFaulty } from './faulty-answer.ts';
import { breaking, concerns, type ServedFault, servedFault } from './served-fault.ts';

export { servedFault };

/**
 * Starts a reference engine that breaks rules on purpose. Requests that no fault concerns are passed on unchanged to a
 * correct engine on its own socket.
 */
export async function startFaultyEngine(
  { listen, tls, ...options }: ReferenceEngineOptions,
  faults: readonly ServedFault[],
): Promise<ReferenceEngine> {
  const directory = await mkdtemp(path.join(tmpdir(), 'engine-conformance-'));
  const socketPath = path.join(directory, 'engine.sock');
  const engine = await startReferenceEngine({ ...options, listen: { socketPath } });
  const newest = options.serves?.at(-1) ?? newestDocumented;
  const right = undiciTransport(parseAddress(`unix://${socketPath}`));
  const transport = faults.reduce((behind, fault) => breaking(behind, fault, newest), right);
  const broken = faults.map((fault) => ({ fault: fault.fault, concerns: concerns(fault, newest) }));
  const faultsOf = (request: IncomingMessage) =>
    broken.filter((one) => one.concerns(asked(request))).map(({ fault }) => fault);

  const server = http.createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, maxHeaderSize: 65_536 });
  const { net, lines } = listenerFor(server, tls);
  // A client may half-close after its request and still wait for the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (request, answer) => {
    const line: unknown = request.socket;
    answer.once('close', () => line instanceof Line && line.expectRequest());
    const own = faultsOf(request);
    if (own.length === 0) passRequest(socketPath, request, answer);
    else answerFaulty(transport, own, request, answer).catch(() => answer.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, line: Duplex, head: Buffer) => {
    line.on('error', () => {});
    if (faultsOf(request).length === 0) passUpgrade(socketPath, request, line, head);
    else upgradeFaulty(transport, request, line, head).catch(() => line.destroy());
  });
  const close = async () => {
    await transport.close();
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    if ('socketPath' in listen) net.listen(listen.socketPath);
    else net.listen(listen.port, listen.host);
    await once(net, 'listening');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    address: addressOf(listen, net.address()),
    async close() {
      const closed = once(net, 'close');
      net.close();
      for (const line of lines) line.destroy();
      server.close();
      await closed;
      await close();
    },
  };
}

function asked({ method = 'GET', url = '/' }: IncomingMessage) {
  return { method, path: url };
}

function addressOf(listen: ReferenceEngineOptions['listen'], bound: AddressInfo | string | null): string {
  if ('socketPath' in listen) return `unix://${listen.socketPath}`;
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  return `tcp://${host}:${typeof bound === 'object' ? bound?.port : listen.port}`;
}

/** Passes on a request and its answer unchanged. */
function passRequest(socketPath: string, request: IncomingMessage, answer: http.ServerResponse): void {
  const { method = 'GET', path: to } = asked(request);
  // The other end decides how the connection continues.
  const headers = request.rawHeaders;
  const onward = http.request({ socketPath, method, path: to, headers, setHost: false });
  onward.on('response', (answered) => {
    answer.writeHead(answered.statusCode ?? 500, answered.statusMessage, answered.rawHeaders);
    answer.flushHeaders();
    answered.once('error', () => answer.destroy());
    answered.pipe(answer);
  });
  onward.once('error', () => answer.destroy());
  answer.once('close', () => onward.destroy());
  request.pipe(onward);
}

/** Passes on the bytes of both directions unchanged. */
function passUpgrade(socketPath: string, request: IncomingMessage, line: Duplex, head: Buffer): void {
  const onward = connect({ path: socketPath, allowHalfOpen: true });
  const { rawHeaders } = request;
  const { method, path: to } = asked(request);
  const fields = rawHeaders.flatMap((name, place) =>
    place % 2 === 0 ? [`${name}: ${rawHeaders[place + 1]}\r\n`] : [],
  );
  onward.write(Buffer.concat([Buffer.from(`${method} ${to} HTTP/1.1\r\n${fields.join('')}\r\n`, 'latin1'), head]));
  onward.on('error', () => line.destroy());
  line.once('close', () => onward.destroy());
  onward.once('close', () => line.destroy());
  onward.pipe(line);
  line.pipe(onward);
}
