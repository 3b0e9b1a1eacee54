import type { Transport } from './wire.ts';

/** A daemon that is slow, but right, has this long whatever the user says: what is not removed stays behind. */
const leastMs = 5_000;

/** How long an exchange may take at most that makes a target ready or clean: twice as long as one that is judged. */
export function preparingMs(timeoutMs: number): number {
  return Math.max(leastMs, 2 * timeoutMs);
}

/** A transport whose exchanges have no looser bounds than this one. */
export function boundedTransport(transport: Transport, mostMs: number): Transport {
  return {
    exchange: (request, bounds) =>
      transport.exchange(request, { ...bounds, wholeMs: Math.min(bounds.wholeMs, mostMs) }),
    open: (request, bounds) => transport.open(request, { ...bounds, wholeMs: Math.min(bounds.wholeMs, mostMs) }),
    connect: () => transport.connect(),
    close: () => transport.close(),
  };
}
