import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { newSocketPath } from '../harness/servers.ts';
import { atEndOfFile } from '../workplace.ts';

/** How a small engine answers its n-th ping, counted from 1, in an API version and with a query. */
export type Ping = (answer: ServerResponse, count: number, api: string, query: string) => void;

export const rightPing = (answer: ServerResponse): void => {
  answer.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('OK');
};

/** A ping whose body is wrong, and acts on a terminal that shows it as it is. */
export const wrongPing = (answer: ServerResponse): void => {
  answer.writeHead(200, { 'content-type': 'text/plain' }).end('\u001b[2Jnot ok');
};

export interface SmallEngine {
  readonly address: string;
  /** Method and path of every request so far. */
  readonly requests: readonly string[];
  close(): void;
}

/**
 * A daemon that can be pinged and asked for its version, has no containers, and knows no other path.
 * @param socketPath where it listens; on a socket of its own when left out
 */
export async function smallEngine(ping: Ping = rightPing, socketPath = newSocketPath()): Promise<SmallEngine> {
  const requests: string[] = [];
  let pings = 0;
  const server = createServer((request: IncomingMessage, answer: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    const [, api = '', at = ''] = /^\/v([\d.]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const [path, query = ''] = at.split('?');
    if (path === '/_ping') return ping(answer, ++pings, api, query);
    const known: Record<string, unknown> = {
      '/version': { Version: '0.1', ApiVersion: api, Os: 'linux', Arch: 'amd64' },
      '/info': { EngineRootDir: '/' },
      '/containers/json?all=1': [],
    };
    const body = known[at];
    answer.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(body ?? { message: 'no such thing' }));
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  atEndOfFile(close);
  return { address: `unix://${socketPath}`, requests, close };
}
