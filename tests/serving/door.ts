import net from 'node:net';

/** How a door answers what it does not let through. */
export interface Refusal {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

/** As engines and the servers that they are made with answer a page that they do not know. */
export const refusals = {
  'a 404 as dockerd': { status: 404, type: 'application/json', body: '{"message":"page not found"}' },
  'a 404 in text': { status: 404, type: 'text/plain; charset=utf-8', body: '404 page not found\n' },
  'a 404 without a body': { status: 404, body: '' },
  'a 405': { status: 405, type: 'text/plain; charset=utf-8', body: 'Method Not Allowed\n' },
  'a 501': { status: 501, type: 'application/json', body: '{"message":"not implemented"}' },
} as const satisfies Record<string, Refusal>;

/** Whether a request, by its method and its path with prefix and query, gets no further. */
export type IsRefused = (method: string, path: string) => boolean;

/** Where a request of a connection stands. */
interface Refusing {
  readonly method: string;
  body: Buffer;
  /** Whether all of the request's body has come. */
  readonly isWhole: (body: Buffer) => boolean;
}

/**
 * A door before an engine that passes bytes on as they are, streams and upgrades alike, and answers some requests itself.
 * @param connect makes a connection to the engine
 */
export function door(connect: () => net.Socket, isRefused: IsRefused, refusal: Refusal): net.Server {
  return net.createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect();
    let refusing: Refusing | undefined;
    const take = (bytes: Buffer): void => {
      if (!refusing) return;
      refusing.body = Buffer.concat([refusing.body, bytes]);
      if (!refusing.isWhole(refusing.body)) return;
      client.write(written(refusal, refusing.method));
      refusing = undefined;
    };
    client.on('data', (chunk: Buffer) => {
      const head = refusing ? undefined : requestHead(chunk);
      if (head && isRefused(head.method, head.path)) {
        refusing = { method: head.method, body: Buffer.alloc(0), isWhole: head.isWhole };
        take(chunk.subarray(head.length));
      } else if (refusing) take(chunk);
      else engine.write(chunk);
    });
    engine.on('data', (chunk: Buffer) => client.write(chunk));
    client.on('end', () => engine.end());
    engine.on('end', () => client.end());
    client.on('error', () => engine.destroy());
    engine.on('error', () => client.destroy());
    client.on('close', () => engine.destroy());
    engine.on('close', () => client.destroySoon());
  });
}

/** The head of a request, where a piece of a connection begins with one. The suite's client sends each in one piece. */
function requestHead(chunk: Buffer) {
  const end = chunk.indexOf('\r\n\r\n');
  const text = chunk.toString('latin1', 0, Math.max(end, 0));
  const [, method, path] = /^([A-Z]+) (\/\S*) HTTP\/1\.1\r\n/.exec(text) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const length = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
  const isChunked = /^transfer-encoding: *chunked/im.test(text);
  const isWhole = (body: Buffer) =>
    isChunked ? body.subarray(-5).toString('latin1') === '0\r\n\r\n' : body.length >= length;
  return { method, path, length: end + 4, isWhole };
}

function written({ status, type, body }: Refusal, method: string): string {
  const headers = [
    `HTTP/1.1 ${status} No`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${headers.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : body}`;
}
