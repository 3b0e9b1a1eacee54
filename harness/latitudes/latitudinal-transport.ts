import { setTimeout as delay } from 'node:timers/promises';
import { through } from '../faults/faulty-transport.ts';
import type { LiveAnswer, Transport, WireRequest } from '../transport/wire.ts';
import type { Latitude } from './latitude.ts';

/** A transport behind which the daemon seems to be another one, which takes all of these latitudes. */
export function latitudinalTransport(transport: Transport, latitudes: readonly Latitude[]): Transport {
  if (latitudes.length === 0) return transport;
  const late = (request: WireRequest) => Math.max(0, ...latitudes.map(({ delayMs }) => delayMs?.(request) ?? 0));
  return {
    async exchange(request, bounds) {
      const answer = await transport.exchange(request, bounds);
      const waitMs = late(request);
      if (waitMs > 0) await delay(waitMs);
      return latitudes.reduce((varied, latitude) => latitude.answer?.(varied, request) ?? varied, answer);
    },
    async open(request, bounds) {
      const live = await transport.open(request, bounds);
      const waitMs = late(request);
      if (waitMs > 0) await delay(waitMs);
      return latitudes.reduce((varied, latitude) => variedAnswer(varied, latitude, request), live);
    },
    connect: () => transport.connect(),
    close: () => transport.close(),
  };
}

function variedAnswer(live: LiveAnswer, latitude: Latitude, request: WireRequest): LiveAnswer {
  const { status, headers } = latitude.head?.(live, request) ?? live;
  const change = latitude.incoming?.({ status, headers }, request);
  if (!change) return { ...live, status, headers };
  const incoming = through(live, change);
  const destroy = () => {
    incoming.destroy();
    live.destroy();
  };
  return { ...live, status, headers, incoming, destroy };
}
