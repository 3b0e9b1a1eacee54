import type { Transport } from './wire.ts';

/** A slow but correct daemon gets at least this long, whatever the user says: what is not removed stays behind. */
const leastMs = 5_000;

/** The bound of exchanges that prepare or clean a target: twice that of judged ones. */
export function preparingMs(timeoutMs: number): number {
  return Math.max(leastMs, 2 * timeoutMs);
}

/** A transport whose exchanges have at most this bound. */
export function boundedTransport(transport: Transport, mostMs: number): Transport {
  return {
    exchange: (request, bounds) =>
      transport.exchange(request, { ...bounds, wholeMs: Math.min(bounds.wholeMs, mostMs) }),
    open: (request, bounds) => transport.open(request, { ...bounds, wholeMs: Math.min(bounds.wholeMs, mostMs) }),
    connect: () => transport.connect(),
    close: () => transport.close(),
  };
}
