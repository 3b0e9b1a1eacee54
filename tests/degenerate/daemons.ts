import { createServer, type RequestListener } from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { startReferenceEngine } from '../../reference/index.ts';
import { listenAt, newSocketPath } from '../harness/servers.ts';

function answering(answer: RequestListener): Promise<string> {
  return listenAt(
    createServer((request, response) => {
      request.resume();
      answer(request, response);
    }),
  );
}

function always(status: number, body: string): Promise<string> {
  return answering((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
}

/** What a daemon says of itself. */
const itself: Readonly<Record<string, string>> = {
  _ping: 'OK',
  version: '{"Version":"1.9.1","ApiVersion":"1.23","Os":"linux","Arch":"amd64"}',
  info: '{"ID":"degenerate","EngineRootDir":"/"}',
};

/** Tells who it is, and refuses all the rest with one status. */
function refusing(status: number): Promise<string> {
  return answering((request, response) => {
    const [, at = ''] = /^\/v1\.2[013]\/(_ping|version|info)$/.exec(request.url ?? '') ?? [];
    const body = itself[at];
    const type = at === '_ping' ? 'text/plain' : 'application/json';
    response.writeHead(body === undefined ? status : 200, { 'content-type': type });
    response.end(body ?? '{"message":"no"}');
  });
}

interface Between {
  /** Milliseconds that each request waits. */
  readonly lateMs?: number;
  /** Whether a connection is closed as it comes; counted from 1. */
  readonly drops?: (connection: number) => boolean;
  readonly rewrite?: (head: string) => string;
  /** Whether nothing is passed on behind the head of the answer to a request. */
  readonly mutes?: (requestLine: string) => boolean;
}

/** The reference engine with something between it and its client. */
async function reference({ lateMs = 0, drops = () => false, rewrite, mutes = () => false }: Between): Promise<string> {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  let count = 0;
  return listenAt(
    net.createServer({ allowHalfOpen: true }, (client) => {
      count++;
      if (drops(count)) {
        client.destroy();
        return;
      }
      const onward = net.connect({ path: socketPath, allowHalfOpen: true });
      onward.on('error', () => client.destroy());
      client.once('close', () => onward.destroy());
      onward.once('close', () => {
        if (!isMute) client.destroy();
      });
      let isMute = false;
      let head = '';
      client.on('data', (chunk: Buffer) => {
        const line = chunk.toString('latin1', 0, chunk.indexOf('\r\n'));
        if (/^[A-Z]+ \/\S* HTTP\/1\.1$/.test(line)) isMute = mutes(line);
        head = '';
        const text = rewrite ? Buffer.from(rewrite(chunk.toString('latin1')), 'latin1') : chunk;
        onward.write(text);
      });
      client.once('end', () => onward.end());
      // The order is kept: every piece waits equally long.
      onward.on('data', (chunk: Buffer) => {
        if (!isMute) {
          void delay(lateMs).then(() => client.write(chunk));
          return;
        }
        const isHead = !head.includes('\r\n\r\n');
        head += chunk.toString('latin1');
        if (isHead && head.includes('\r\n\r\n')) client.write(head.slice(0, head.indexOf('\r\n\r\n') + 4), 'latin1');
      });
      onward.once('end', () => {
        if (!isMute) void delay(lateMs).then(() => client.end());
      });
    }),
  );
}

/** Daemons that are none, by what they do. */
export const degenerate: Readonly<Record<string, () => Promise<string>>> = {
  hangs: () => answering(() => {}),
  'closes at once': () => listenAt(net.createServer((socket) => socket.destroy())),
  'always answers 500': () => always(500, '{"message":"no"}'),
  'always answers 200 {}': () => always(200, '{}'),
  'always answers 400': () => always(400, '{"message":"no"}'),
  'always answers 403': () => always(403, '{"message":"no"}'),
  'always answers 409': () => always(409, '{"message":"no"}'),
  'refuses all but who it is with 400': () => refusing(400),
  'refuses all but who it is with 403': () => refusing(403),
  'refuses all but who it is with 404': () => refusing(404),
  'refuses all but who it is with 409': () => refusing(409),
  'refuses all but who it is with 500': () => refusing(500),
  'always answers 404': () => always(404, '{"message":"no such thing"}'),
  'echoes the request': () =>
    listenAt(
      createServer((request, response) => {
        response.writeHead(200, { 'content-type': request.headers['content-type'] ?? 'text/plain' });
        request.pipe(response);
      }),
    ),
  "answers every version with 1.20's": () => reference({ rewrite: (head) => head.replace(/\/v1\.2[13]\//, '/v1.20/') }),
  'drops every second connection': () => reference({ drops: (connection) => connection % 2 === 0 }),
};

/** The reference engine, right but late. */
export function lateEngine(lateMs: number): Promise<string> {
  return reference({ lateMs });
}

const streams = /^(?:GET \S*\/(?:logs|attach\/ws|events|stats)\b|POST \S*\/(?:attach|exec\/[^/ ]+\/start)\b)/;

/** The reference engine, of whose streams and logs nothing comes but the heads. */
export function muteEngine(): Promise<string> {
  return reference({ mutes: (line) => streams.test(line) });
}
