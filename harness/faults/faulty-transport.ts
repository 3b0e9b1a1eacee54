import { once } from 'node:events';
import { Duplex, PassThrough, Readable, type Transform } from 'node:stream';
import { pathsOf, plainPath } from '../../specs/path-template.ts';
import { asTransportError, TransportError } from '../transport/errors.ts';
import type { Bounds, LiveAnswer, Transport, WireAnswer, WireRequest } from '../transport/wire.ts';
import type { Fault } from './fault.ts';

/** A transport that makes the daemon seem to have the fault. */
export function faultyTransport(daemon: Transport, declared: Fault, endpoint: string): Transport {
  const fault = { ...declared, ...declared.anew?.() };
  const transport = (fault.also ?? []).reduce((inner, other) => faultyTransport(inner, other, endpoint), daemon);
  const applies = requestMatcher(fault.on ?? endpoint);
  return {
    async exchange(request, bounds) {
      if (!applies(request)) return transport.exchange(request, bounds);
      const sent = fault.request?.(request) ?? request;
      if ('instead' in sent) return sent.instead;
      const answer = await transport.exchange(sent, bounds);
      return fault.answer?.(answer, request) ?? answer;
    },
    async open(request, bounds) {
      if (!applies(request)) return transport.open(request, bounds);
      const sent = fault.request?.(request) ?? request;
      if ('instead' in sent) return swallowed(sent.instead);
      const bound = fault.ignoresDrop ? { ...bounds, signal: undefined } : bounds;
      const live = await transport.open(sent, bound);
      if (fault.holdsHead) await firstBytes(live, bounds);
      return faultyAnswer(live, fault, request);
    },
    connect: () => transport.connect(),
    close: () => transport.close(),
  };
}

function faultyAnswer(live: LiveAnswer, fault: Fault, request: WireRequest): LiveAnswer {
  const head = fault.head?.(live, request) ?? live;
  const incoming = fault.incoming ? through(live, fault.incoming(request)) : live.incoming;
  return {
    status: head.status,
    headers: head.headers,
    upgraded: live.upgraded,
    incoming,
    outgoing: fault.outgoing ? before(live.outgoing, fault.outgoing(request)) : live.outgoing,
    destroy: () => {
      if (fault.ignoresDrop) return;
      incoming.destroy();
      live.destroy();
    },
  };
}

/**
 * Waits until the body of a live answer begins or ends, as its client waits for a head that is held back.
 * @throws TransportError when it does not begin in time, or when the client drops the connection
 */
export async function firstBytes(live: LiveAnswer, { wholeMs, signal: dropped }: Bounds): Promise<void> {
  const { incoming } = live;
  const late = AbortSignal.timeout(wholeMs);
  try {
    await once(incoming, 'readable', { signal: dropped ? AbortSignal.any([late, dropped]) : late });
  } catch (error) {
    // Nobody reads it any more.
    incoming.on('error', () => {});
    live.destroy();
    if (dropped?.aborted) throw new TransportError('closed', 'the connection was dropped before an answer came');
    throw late.aborted ? new TransportError('timeout', `no answer within ${wholeMs} ms`) : asTransportError(error);
  }
}

/** A live answer that a fault gives in the daemon's place. */
function swallowed({ status, headers, body }: WireAnswer): LiveAnswer {
  const incoming = Readable.from(body.length > 0 ? [body] : []);
  const outgoing = new PassThrough().resume();
  return { status, headers, upgraded: false, incoming, outgoing, destroy: () => incoming.destroy() };
}

/** The bytes of a live answer, changed in transit. */
export function through(live: LiveAnswer, change: Transform): Transform {
  live.incoming.once('error', (error) => change.destroy(error));
  live.incoming.once('close', () => change.end());
  return live.incoming.pipe(change);
}

function before(outgoing: Duplex, change: Transform): Duplex {
  change.pipe(outgoing);
  return Duplex.from({ writable: change });
}

/** Whether a request is one of 'METHOD /path/{with}/braces', whatever its version prefix and query. */
export function requestMatcher(endpoint: string): (request: Pick<WireRequest, 'method' | 'path'>) => boolean {
  const [method, template = ''] = endpoint.split(' ');
  // A token endpoint's path may have a query of its own.
  const paths = pathsOf(plainPath(template));
  return (request) => request.method === method && paths.test(plainPath(request.path));
}
