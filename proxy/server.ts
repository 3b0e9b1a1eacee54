import net from 'node:net';
import type { Address } from '../harness/target/address.ts';
import { listen } from './listen.ts';
import { type Observer, relay } from './relay.ts';

export interface ProxyOptions {
  readonly listen: Address;
  readonly upstream: Address;
  /** Creates the observer of a connection. */
  readonly observe: (connection: number) => Observer;
  /** Reports what the user should know about the connections. */
  readonly say: (line: string) => void;
}

export interface RunningProxy {
  /** Where it listens: `unix:///path` or `tcp://host:port`. */
  readonly address: string;
  /** Ends all connections, and removes the socket. */
  close(): Promise<void>;
}

/**
 * Starts passing every connection on to the daemon.
 * @throws UsageError when it cannot listen there
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { say, upstream } = options;
  const sockets = new Set<net.Socket>();
  const track = (socket: net.Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const reach = sayChanges(upstream, say);
  let connections = 0;
  // Nothing is read from a client before it can be forwarded.
  const server = net.createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => {
    track(client);
    const daemon = connectTo(upstream);
    track(daemon);
    const unreached = (error: Error) => {
      reach.failed(error);
      client.destroy();
    };
    client.on('error', () => daemon.destroy());
    daemon.once('error', unreached);
    daemon.once('connect', () => {
      daemon.off('error', unreached);
      reach.succeeded();
      relay(client, daemon, options.observe(++connections));
    });
  });
  await listen(server, options.listen, upstream);
  return {
    address: addressOf(server, options.listen),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const ended = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all([closed, ...ended]);
    },
  };
}

function connectTo(address: Address): net.Socket {
  if (address.kind === 'unix') return net.connect({ path: address.socketPath, allowHalfOpen: true });
  return net.connect({ host: address.host, port: address.port, allowHalfOpen: true, noDelay: true });
}

/** Reports once that a daemon is gone, and once that it is back. */
function sayChanges(upstream: Address, say: (line: string) => void) {
  let isGone = false;
  return {
    failed({ message }: Error) {
      if (!isGone) say(`${upstream.text} cannot be reached (${message}): client connections are closed`);
      isGone = true;
    },
    succeeded() {
      if (isGone) say(`${upstream.text} is back`);
      isGone = false;
    },
  };
}

function addressOf(server: net.Server, address: Address): string {
  const bound = server.address();
  if (address.kind === 'unix' || bound === null || typeof bound === 'string') return address.text;
  return `tcp://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}
