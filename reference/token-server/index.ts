import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AccessTokens } from './access-tokens.ts';
import { readForm } from './form.ts';
import { grant, type Issuing, type TokenUser } from './grants.ts';
import { RefreshTokens } from './refresh-tokens.ts';
import { TokenError } from './token-error.ts';

export interface ReferenceTokenServerOptions {
  readonly listen: { readonly host: string; readonly port: number };
  readonly users: readonly TokenUser[];
  /** The only service that tokens are issued for; default: any. */
  readonly service?: string;
}

export interface ReferenceTokenServer {
  /** What `/token` is appended to: `http://host:port`. */
  readonly url: string;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Starts a server of the token endpoint of Document 1, in this process. Rejects when it cannot listen. */
export async function startReferenceTokenServer(options: ReferenceTokenServerOptions): Promise<ReferenceTokenServer> {
  const { host, port } = options.listen;
  const refreshTokens = new RefreshTokens();
  const accessTokens = await AccessTokens.create('engine-conformance');
  const { users, service } = options;
  const issuing = { users, accessTokens, refreshTokens, ...(service !== undefined && { service }) };
  const server = createServer(
    { keepAliveTimeout: 60_000 },
    (request, response) => void serve(request, response, issuing),
  );
  server.listen(port, host);
  await once(server, 'listening');
  // A later error on one connection must not end the process.
  server.on('error', () => {});
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, issuing: Issuing): Promise<void> {
  request.on('error', () => {});
  response.on('error', () => {});
  try {
    if (request.url?.split('?')[0] !== '/token') {
      request.resume();
      return send(response, 404, { message: 'there is only /token' });
    }
    if (request.method !== 'POST') {
      request.resume();
      response.setHeader('Allow', 'POST');
      return send(response, 405, { message: 'tokens are given to POST' });
    }
    send(response, 200, await grant(await readForm(request), issuing));
  } catch (error) {
    if (error instanceof TokenError)
      send(response, error.status, { error: error.code, error_description: error.message });
    else send(response, 500, { message: 'the token server failed' });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
