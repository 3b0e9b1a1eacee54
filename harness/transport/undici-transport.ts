import net from 'node:net';
import { Readable } from 'node:stream';
import tls from 'node:tls';
import { Client, type Dispatcher, Pool } from 'undici';
import type { HeaderList } from '../events.ts';
import { type Address, originOf } from '../target/address.ts';
import { afterBound } from './after-bound.ts';
import { chunksOf } from './chunks.ts';
import { asTransportError, isUnsendable, TransportError } from './errors.ts';
import type { Bounds, LiveAnswer, Transport, Upgrade, WireAnswer, WireRequest } from './wire.ts';

const connectMs = 5_000;
/** Maximum size of an answer that is read whole; streams are read through `open`. */
const largestAnswer = 32 * 1024 * 1024;
// undici's own time limits are off: every exchange has its own.
const unbounded = { headersTimeout: 0, bodyTimeout: 0 } as const;

/** The transport over undici: a pool for whole exchanges, and a separate connection for each live answer. */
export function undiciTransport(address: Address): Transport {
  const origin = originOf(address);
  const pool = new Pool(origin, { ...unbounded, pipelining: 1, connections: null, connect: connectorOf(address) });
  const live = new Set<LiveAnswer>();
  const plain = new Set<net.Socket>();
  return {
    exchange: (request, bounds) => exchange(pool, request, bounds),
    async open(request, bounds) {
      const answer = await open(origin, address, request, bounds);
      live.add(answer);
      answer.incoming.once('close', () => live.delete(answer));
      return answer;
    },
    async connect() {
      const socket = await connected(address);
      plain.add(socket);
      socket.once('close', () => plain.delete(socket));
      return socket;
    },
    async close() {
      for (const answer of live) answer.destroy();
      for (const socket of plain) socket.destroy();
      await pool.destroy();
    },
  };
}

function connectorOf(address: Address): Client.Options['connect'] & object {
  if (address.kind === 'unix') return { socketPath: address.socketPath, timeout: connectMs };
  return { timeout: connectMs, ...address.tls };
}

function dispatchOptions(request: WireRequest): Dispatcher.DispatchOptions {
  return {
    // biome-ignore lint/plugin: undici sends any method; its type names only some
    method: request.method as Dispatcher.HttpMethod,
    path: request.path,
    headers: request.headers,
    body: request.cuts && request.body ? Readable.from(chunksOf(request.body, request.cuts)) : (request.body ?? null),
  };
}

function exchange(pool: Pool, request: WireRequest, bounds: Bounds): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let headers: HeaderList = [];
    let size = 0;
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    const fail = (error: Error) => {
      endBound();
      reject(error);
      controller?.abort(error);
    };
    const endBound = afterBound(bounds.wholeMs, () => {
      const got = status === 0 ? 'no answer' : `status ${status} and ${size} bytes of an unfinished body`;
      fail(new TransportError('timeout', `${got} within ${bounds.wholeMs} ms`));
    });
    pool.dispatch(dispatchOptions(request), {
      onRequestStart(started) {
        controller = started;
      },
      onResponseStart(started, code, parsed) {
        if (code < 200) return;
        status = code;
        headers = rawHeaders(started, parsed);
      },
      onResponseData(_controller, chunk) {
        size += chunk.length;
        if (size > largestAnswer) {
          fail(new TransportError('too-large', `the answer is larger than ${largestAnswer} bytes`));
          return;
        }
        // undici reuses its parser's memory, so the bytes are copied.
        chunks.push(Buffer.from(chunk));
      },
      onResponseEnd() {
        endBound();
        resolve({ status, headers, body: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        if (isUnsendable(error)) return fail(error);
        const known = asTransportError(error);
        const got = status === 0 ? 'before any answer' : `after status ${status} and ${size} bytes of the body`;
        fail(
          known.failure === 'closed'
            ? new TransportError('closed', `the connection ended ${got}: ${known.message}`, { cause: error })
            : known,
        );
      },
    });
  });
}

function open(
  origin: string,
  address: Address,
  request: WireRequest,
  bounds: Bounds & { readonly upgrade: Upgrade },
): Promise<LiveAnswer> {
  return new Promise((resolve, reject) => {
    // The custom connector keeps the socket, which undici hides unless the answer is a 101.
    let socket: net.Socket | undefined;
    const client = new Client(origin, {
      ...unbounded,
      connect(_options, callback) {
        const connecting = connectSocket(address);
        socket = connecting;
        connecting.setNoDelay(true);
        const unreachable = (error: Error) => callback(error, null);
        connecting.once('error', unreachable);
        connecting.once(address.kind === 'tcp' && address.tls ? 'secureConnect' : 'connect', () => {
          connecting.off('error', unreachable);
          callback(null, connecting);
        });
      },
    });
    let upgraded = false;
    const destroy = () => {
      // Without an error undici treats the close as the end of a body, and fails when that was paused.
      socket?.destroy(upgraded ? undefined : new TransportError('closed', 'the connection was dropped'));
      client.destroy().catch(() => {});
    };
    const drop = () => fail(new TransportError('closed', 'the connection was dropped before an answer came'));
    const settle = () => {
      endBound();
      bounds.signal?.removeEventListener('abort', drop);
    };
    const fail = (error: Error) => {
      settle();
      reject(error);
      destroy();
    };
    bounds.signal?.addEventListener('abort', drop, { once: true });
    const endBound = afterBound(bounds.wholeMs, () =>
      fail(new TransportError('timeout', `no answer within ${bounds.wholeMs} ms`)),
    );
    let body: Readable | undefined;
    const options = dispatchOptions(request);
    client.dispatch(bounds.upgrade ? { ...options, upgrade: bounds.upgrade } : options, {
      onRequestStart() {},
      onRequestUpgrade(started, status, parsed, duplex) {
        upgraded = true;
        settle();
        const headers = rawHeaders(started, parsed);
        resolve({ status, headers, upgraded: true, incoming: duplex, outgoing: duplex, destroy });
      },
      onResponseStart(started, status, parsed) {
        if (status < 200 || !socket) return;
        settle();
        const incoming = new Readable({ read: () => started.resume(), autoDestroy: true });
        incoming.once('close', destroy);
        body = incoming;
        const headers = rawHeaders(started, parsed);
        resolve({ status, headers, upgraded: false, incoming, outgoing: socket, destroy });
      },
      onResponseData(started, chunk) {
        if (body?.push(Buffer.from(chunk)) === false) started.pause();
      },
      onResponseEnd() {
        body?.push(null);
      },
      onResponseError(_controller, error) {
        if (isUnsendable(error)) return fail(error);
        const known = asTransportError(error);
        if (body) body.destroy(known);
        else fail(known);
      },
    });
  });
}

function connectSocket(address: Address): net.Socket {
  // A client may close its half of a hijacked connection and continue reading.
  if (address.kind === 'unix') return net.connect({ path: address.socketPath, allowHalfOpen: true });
  const { host, port } = address;
  return address.tls
    ? tls.connect({ host, port, servername: net.isIP(host) ? '' : host, ...address.tls })
    : net.connect({ host, port, allowHalfOpen: true });
}

function connected(address: Address): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(address);
    const fail = (error: Error) => {
      endBound();
      socket.destroy();
      reject(asTransportError(error));
    };
    const endBound = afterBound(connectMs, () => fail(new TransportError('unreachable', 'no connection')));
    socket.once('error', fail);
    socket.once(address.kind === 'tcp' && address.tls ? 'secureConnect' : 'connect', () => {
      endBound();
      socket.off('error', fail).on('error', () => {});
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}

/** Header names as the daemon wrote them where undici still has them, and otherwise its parsed ones. */
function rawHeaders(
  controller: Dispatcher.DispatchController,
  parsed: Record<string, string | string[] | undefined>,
): HeaderList {
  const raw = 'rawHeaders' in controller ? controller.rawHeaders : undefined;
  if (Array.isArray(raw) && raw.length > 0) {
    const texts = raw.map((text) => (Buffer.isBuffer(text) ? text.toString('latin1') : String(text)));
    return Array.from({ length: texts.length / 2 }, (_, i) => [texts[2 * i] ?? '', texts[2 * i + 1] ?? ''] as const);
  }
  return Object.entries(parsed).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one] as const));
}
