import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { allEndpoints } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import { Routes } from '../../specs/routes.ts';

/** By endpoint, what a client was asked to do when it used it, each with the query parameters that it sent. */
export type Usage = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** A socket that passes everything on to an engine and back. */
export interface Door {
  readonly socketPath: string;
  /** What the client behind this door is doing from here on. */
  doing: string;
  close(): Promise<void>;
}

const requestLine = /(?:^|\n)(GET|HEAD|POST|PUT|DELETE) (\/\S*) HTTP\/1\.1\r\n/g;

/** Notes which endpoints clients use on their way to an engine. */
export class Recording {
  readonly #engine: string;
  readonly #routes = new Routes(allEndpoints);
  readonly #seen = new Map<string, Map<string, Set<string>>>();
  #doors = 0;

  /** @param engine path of its socket */
  constructor(engine: string) {
    this.#engine = engine;
  }

  async open(doing = ''): Promise<Door> {
    this.#doors++;
    const socketPath = path.join(path.dirname(this.#engine), `door-${this.#doors}.sock`);
    const sockets = new Set<Socket>();
    const server: Server = createServer({ allowHalfOpen: true }, (client) => {
      const engine = connect({ path: this.#engine, allowHalfOpen: true });
      join(client, engine, sockets);
      client.on('data', (chunk) => this.#note(door.doing, chunk.toString('latin1')));
    });
    const door: Door = {
      socketPath,
      doing,
      async close() {
        const closed = once(server, 'close');
        server.close();
        for (const socket of sockets) socket.destroy();
        await closed;
      },
    };
    server.listen(socketPath);
    await once(server, 'listening');
    return door;
  }

  get usage(): Usage {
    return sorted(this.#seen, (doings) => sorted(doings, (names) => [...names].toSorted()));
  }

  /** Clients write the head of a request at once, and a body never holds a request line. */
  #note(doing: string, text: string): void {
    for (const [, method = '', target = ''] of text.matchAll(requestLine)) {
      const endpoint = this.#routes.find(method, target);
      if (!endpoint) continue;
      const title = endpointTitle(endpoint);
      const doings = this.#seen.get(title) ?? new Map<string, Set<string>>();
      const names = doings.get(doing) ?? new Set<string>();
      for (const name of new URLSearchParams(target.split('?')[1]).keys()) names.add(name);
      this.#seen.set(title, doings.set(doing, names));
    }
  }
}

/** What was recorded as the text of a file, in which lists of up to this many characters have one line. */
export function told(usage: Usage, widest = 80): string {
  const text = JSON.stringify(usage, undefined, 2);
  return `${text.replace(/\[[^[\]]*\]/g, (list) => {
    const line = list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']');
    return line.length > widest ? list : line;
  })}\n`;
}

function join(client: Socket, engine: Socket, sockets: Set<Socket>): void {
  for (const [one, other] of [
    [client, engine],
    [engine, client],
  ] as const) {
    sockets.add(one);
    one.pipe(other);
    one.on('error', () => other.destroy());
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
  }
}

function sorted<T, R>(map: ReadonlyMap<string, T>, shape: (value: T) => R): Record<string, R> {
  const entries = [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, shape(value)]));
}
