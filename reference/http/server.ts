import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Engine } from '../engine.ts';
import { EngineError } from '../errors.ts';
import { Call, type Upgraded } from './call.ts';
import { Line } from './line.ts';
import { Query } from './query.ts';
import type { FindRoute } from './routes.ts';
import { newestOf, readVersion } from './versions.ts';

/** Certificate and key (PEM) of the listener; with `requestClientCert` clients need one that `ca` signed. */
export interface TlsOptions {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  readonly ca?: string | Buffer;
  readonly requestClientCert?: boolean;
}

/** Serves an engine on connections that a listener of `listenerFor` accepts. */
export function createHttpServer(engine: Engine, findRoute: FindRoute): Server {
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, maxHeaderSize: 65_536 });
  // A client may half-close after its request and still wait for the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (req, res) => {
    const line: unknown = req.socket;
    res.on('close', () => {
      if (!(line instanceof Line)) return;
      if (req.complete) line.expectRequest();
      else req.once('close', () => line.expectRequest());
    });
    void dispatch(engine, findRoute, req, res, undefined);
  });
  server.on('upgrade', (req, line, head) => {
    if (!(line instanceof Line)) return;
    const res = new ServerResponse(req);
    res.assignSocket(req.socket);
    res.shouldKeepAlive = false;
    res.on('finish', () => {
      res.detachSocket(req.socket);
      line.end();
      line.resume();
    });
    void dispatch(engine, findRoute, req, res, { line, head });
  });
  server.on('clientError', (_error, socket) => {
    if (!socket.writable || socket.destroyed) return;
    const body = '{"message":"the request is not valid HTTP"}\n';
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return server;
}

/** The listener whose connections `server` serves, and its open connections. */
export function listenerFor(server: Server, tls: TlsOptions | undefined): { net: NetServer; lines: Set<Line> } {
  const lines = new Set<Line>();
  const accept = (socket: Socket): void => {
    const line = new Line(socket);
    lines.add(line);
    line.once('close', () => lines.delete(line));
    server.emit('connection', line);
  };
  if (!tls) return { net: createNetServer({ allowHalfOpen: true, noDelay: true }, accept), lines };
  const net = createTlsServer(
    {
      allowHalfOpen: true,
      cert: tls.cert,
      key: tls.key,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      requestCert: tls.requestClientCert ?? false,
      rejectUnauthorized: tls.requestClientCert ?? false,
    },
    accept,
  );
  net.on('tlsClientError', (_error, socket) => socket.destroy());
  return { net, lines };
}

async function dispatch(
  engine: Engine,
  findRoute: FindRoute,
  req: IncomingMessage,
  res: ServerResponse,
  upgraded: Upgraded | undefined,
): Promise<void> {
  res.on('error', () => {});
  req.on('error', () => {});
  if (engine.corsHeader) {
    res.setHeader('Access-Control-Allow-Origin', engine.corsHeader);
    res.setHeader('Access-Control-Allow-Headers', 'Origin, X-Requested-With, Content-Type, Accept, X-Registry-Auth');
    res.setHeader('Access-Control-Allow-Methods', 'HEAD, GET, POST, DELETE, PUT, OPTIONS');
  }
  const unrouted = () =>
    new Call({ engine, api: newestOf(engine.serves), params: {}, query: new Query(''), req, res, upgraded });
  let call: Call | undefined;
  try {
    const [target = '/', ...rest] = (req.url ?? '/').split('?');
    const { api, path } = readVersion(target, engine.serves);
    if (req.method === 'OPTIONS') return unrouted().answerEmpty(200);
    const found = findRoute(req.method ?? 'GET', path);
    if (!found) throw new EngineError(404, `there is no endpoint ${req.method} ${path}`);
    call = new Call({ engine, api, params: found.params, query: new Query(rest.join('?')), req, res, upgraded });
    await found.handler(call);
  } catch (error) {
    refuse(call ?? unrouted(), error);
  }
}

/** Answers with the status of an EngineError; anything else is a defect of the engine: 500. */
function refuse(call: Call, error: unknown): void {
  const { res } = call;
  if (res.headersSent || res.destroyed || !res.socket) {
    res.destroy();
    return;
  }
  const status = error instanceof EngineError ? error.status : 500;
  call.answer(status, { message: error instanceof Error ? error.message : String(error) });
}
