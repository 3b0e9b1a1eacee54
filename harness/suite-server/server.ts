import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net from 'node:net';
import type { Address } from '../target/address.ts';

/** A file that the suite serves to the daemon. */
export interface Offered {
  /** The last part of its URL, or its path below a directory's. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array | string;
}

/** An HTTP server of the suite for files that the daemon fetches. */
export class SuiteServer {
  readonly #server: Server;
  readonly #origin: string;
  readonly #files = new Map<string, Offered>();
  readonly #asked = new Set<string>();
  #directories = 0;

  private constructor(server: Server, origin: string) {
    this.#server = server;
    this.#origin = origin;
    server.on('request', ({ url = '' }, answer) => {
      const [path = ''] = url.split('?', 1);
      const file = this.#files.get(path);
      this.#asked.add(path).add(url);
      if (!file) return answer.writeHead(404, { Connection: 'close' }).end();
      const length = Buffer.byteLength(file.content);
      const head = { 'Content-Type': file.contentType, 'Content-Length': length, Connection: 'close' };
      return answer.writeHead(200, head).end(file.content);
    });
  }

  /** Starts one on an address of this machine that a daemon at `address` can most likely reach. */
  static async open(address: Address): Promise<SuiteServer> {
    const host = await hostFor(address);
    const server = createServer();
    server.listen(0, host);
    await once(server, 'listening');
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the server of the suite has no port');
    return new SuiteServer(server, `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`);
  }

  /** Serves a file. @returns its URL */
  offer(file: Offered): string {
    return `${this.offerDirectory('', [file])}/${file.name}`;
  }

  /** Serves files below a URL of their own, whose last part is `name`. @returns that URL */
  offerDirectory(name: string, files: readonly Offered[]): string {
    this.#directories += 1;
    const directory = `/${this.#directories}${name === '' ? '' : `/${name}`}`;
    for (const file of files) this.#files.set(`${directory}/${file.name}`, file);
    return this.#origin + directory;
  }

  /** Whether a file was requested; an address with a query counts only where the request had it. */
  wasAsked(address: string): boolean {
    return this.#asked.has(address.slice(this.#origin.length));
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Runs a server while `use` runs. */
export async function withSuiteServer<T>(address: Address, use: (server: SuiteServer) => Promise<T>): Promise<T> {
  const server = await SuiteServer.open(address);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** An HTTPS URL where no server answers. */
export interface TlsListener {
  readonly address: string;
  /** The first byte that was sent to it; undefined if there is none yet. */
  firstByte(): number | undefined;
}

/** While `use` runs, listens for TLS handshakes and ends every connection that begins one. */
export async function withTlsListener<T>(address: Address, use: (listener: TlsListener) => Promise<T>): Promise<T> {
  const host = await hostFor(address);
  let first: number | undefined;
  const listener = net.createServer((socket) => {
    socket.on('error', () => {}); // The other side may end it as well.
    socket.once('data', (bytes) => {
      first ??= bytes[0];
      socket.destroy();
    });
  });
  listener.listen(0, host);
  await once(listener, 'listening');
  const bound = listener.address();
  if (bound === null || typeof bound === 'string') throw new Error('the listener of the suite has no port');
  const origin = `https://${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
  try {
    return await use({ address: origin, firstByte: () => first });
  } finally {
    listener.close();
  }
}

/** This machine's address on the route to the daemon; a daemon on a socket is assumed to be on this machine. */
async function hostFor(address: Address): Promise<string> {
  if (address.kind === 'unix') return '127.0.0.1';
  const socket = createSocket(address.host.includes(':') ? 'udp6' : 'udp4');
  try {
    // Nothing is sent: connecting only selects the route.
    socket.connect(9, address.host);
    await once(socket, 'connect');
    return socket.address().address;
  } catch {
    return '127.0.0.1';
  } finally {
    socket.close();
  }
}
