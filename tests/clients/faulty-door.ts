import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Fault } from '../../harness/faults/fault.ts';
import { faultyTransport } from '../../harness/faults/faulty-transport.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import type { Transport, WireHead } from '../../harness/transport/wire.ts';

/** A daemon behind a socket that can be given one fault after another. Nothing is hijacked there. */
export interface FaultyDoor {
  readonly socketPath: string;
  /** What kept requests from being passed on. */
  readonly problems: readonly unknown[];
  /** The daemon has this fault from here on, at an endpoint; none without one. */
  pretend(fault?: Fault, endpoint?: string): void;
  close(): Promise<void>;
}

const wholeMs = 20_000;
/** Headers of one connection, which is another one on each side. */
const ownHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect']);

/** @param engine path of the engine's socket */
export async function faultyDoor(engine: string, socketPath: string): Promise<FaultyDoor> {
  const plain = undiciTransport(parseAddress(`unix://${engine}`));
  const problems: unknown[] = [];
  let pass = passer(plain);
  const server = createServer((request, answer) => {
    pass(request, answer).catch((error: unknown) => {
      problems.push(error);
      answer.destroy();
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  return {
    socketPath,
    problems,
    pretend(fault, endpoint = '') {
      const transport = fault ? faultyTransport(plain, fault, endpoint) : plain;
      pass = passer(transport, fault?.incoming !== undefined);
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await plain.close();
    },
  };
}

type Pass = (request: IncomingMessage, answer: ServerResponse) => Promise<void>;

/** @param isLive passes the answer on piece by piece, for faults of streams */
function passer(transport: Transport, isLive = false): Pass {
  return async (request, answer) => {
    const sent = await wireRequest(request);
    const head = ({ status, headers }: WireHead) => {
      for (const [name, value] of headers) if (!ownHeaders.has(name.toLowerCase())) answer.setHeader(name, value);
      answer.writeHead(status);
    };
    if (isLive) {
      const live = await transport.open(sent, { wholeMs, upgrade: undefined });
      head(live);
      await pipeline(live.incoming, answer);
      return;
    }
    const whole = await transport.exchange(sent, { wholeMs });
    head(whole);
    answer.end(request.method === 'HEAD' ? undefined : whole.body);
  };
}

async function wireRequest(request: IncomingMessage) {
  const { method = 'GET', url = '/', headers } = request;
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    ownHeaders.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
  const body = await buffer(request);
  return { method, path: url, headers: Object.fromEntries(kept), ...(body.length > 0 && { body }) };
}
