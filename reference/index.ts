import { once } from 'node:events';
import type { ApiVersion } from '../specs/versions.ts';
import type { Dialect } from './dialect.ts';
import { endpoints } from './endpoints.ts';
import { Engine } from './engine.ts';
import { routeFinder } from './http/routes.ts';
import { createHttpServer, listenerFor, type TlsOptions } from './http/server.ts';

export type { TlsOptions };

export interface ReferenceEngineOptions {
  readonly listen: { readonly socketPath: string } | { readonly host: string; readonly port: number };
  /** How brand words are written on the wire. */
  readonly dialect?: Dialect;
  readonly tls?: TlsOptions;
  /** Value of Access-Control-Allow-Origin; empty: no cross-origin access. */
  readonly corsHeader?: string;
  /** The API versions that it serves. Default: the documented ones. */
  readonly serves?: readonly ApiVersion[];
}

export interface ReferenceEngine {
  /** `unix:///path` or `tcp://host:port`. */
  readonly address: string;
  /** Ends all connections, containers and timers. */
  close(): Promise<void>;
}

const findRoute = routeFinder(endpoints);

/** Starts an engine that implements the documents, in this process. Rejects when it cannot listen. */
export async function startReferenceEngine(options: ReferenceEngineOptions): Promise<ReferenceEngine> {
  const { listen } = options;
  const engine = new Engine(options.dialect ?? 'engine', options.corsHeader ?? '', options.serves);
  const server = createHttpServer(engine, findRoute);
  const { net, lines } = listenerFor(server, options.tls);
  if ('socketPath' in listen) net.listen(listen.socketPath);
  else net.listen(listen.port, listen.host);
  await once(net, 'listening');
  // A later error on one connection must not end the process.
  net.on('error', () => {});
  const bound = net.address();
  const isTcp = typeof bound === 'object' && bound !== null;
  const host = 'host' in listen && listen.host.includes(':') ? `[${listen.host}]` : 'host' in listen ? listen.host : '';
  return {
    address: isTcp ? `tcp://${host}:${bound.port}` : `unix://${'socketPath' in listen ? listen.socketPath : ''}`,
    close: async () => {
      engine.close();
      const closed = once(net, 'close');
      net.close();
      for (const line of lines) line.destroy();
      server.close();
      await closed;
    },
  };
}
