import type { Duplex, Readable } from 'node:stream';
import type { HeaderList } from '../events.ts';

/** One request as it goes on the wire. */
export interface WireRequest {
  readonly method: string;
  /** With version prefix and query, already encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Where to cut the body into chunks of a chunked transfer coding, ascending. Absent: it is sent with its length. */
  readonly cuts?: readonly number[];
  /** Only the body is sent, unchanged: it contains the head. */
  readonly isRaw?: boolean;
}

/** Status and headers of an answer; header names as the daemon wrote them. */
export interface WireHead {
  readonly status: number;
  readonly headers: HeaderList;
}

export interface WireAnswer extends WireHead {
  readonly body: Buffer;
}

/** An answer whose body is still coming, on a connection of its own. */
export interface LiveAnswer extends WireHead {
  /** Whether the daemon answered 101. */
  readonly upgraded: boolean;
  /** The bytes after the head (without the chunked coding of HTTP, unless the answer is a 101). */
  readonly incoming: Readable;
  /** Raw bytes to the daemon. */
  readonly outgoing: Duplex;
  /** Drops the connection. */
  destroy(): void;
}

/** Bounds of one exchange, in milliseconds. */
export interface Bounds {
  /** From the request to the last byte of the answer; for a live answer to the end of its head. */
  readonly wholeMs: number;
  /** Called when a request that had to wait for others of the suite is sent: that wait is not the daemon's. */
  readonly onTurn?: () => void;
  /** Drops the connection of a live answer whose head has not come yet. */
  readonly signal?: AbortSignal | undefined;
}

/** The protocol to upgrade to: `tcp` is the raw stream of Document 2, Stream framing. */
export type Upgrade = 'tcp' | 'websocket' | undefined;

/** Sends requests to one daemon. */
export interface Transport {
  /** @throws TransportError when no whole answer comes. */
  exchange(request: WireRequest, bounds: Bounds): Promise<WireAnswer>;
  /** Resolves with the head. */
  open(request: WireRequest, bounds: Bounds & { readonly upgrade: Upgrade }): Promise<LiveAnswer>;
  /** A separate connection, for bytes that no HTTP client would send. @throws TransportError */
  connect(): Promise<Duplex>;
  close(): Promise<void>;
}

/** The value of the first header with this name in any case. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([known]) => known.toLowerCase() === wanted)?.[1];
}
