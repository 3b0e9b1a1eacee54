import type { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { firstBytes, through } from '../faults/faulty-transport.ts';
import type { LiveAnswer, Transport, WireAnswer, WireHead, WireRequest } from '../transport/wire.ts';
import { JsonBodies } from './json-bodies.ts';
import type { Latitude } from './latitude.ts';

/** A transport that makes the daemon seem like one with all of these latitudes. */
export function latitudinalTransport(transport: Transport, latitudes: readonly Latitude[]): Transport {
  if (latitudes.length === 0) return transport;
  const varied = new Variation(latitudes);
  return {
    async exchange(request, bounds) {
      const answer = await transport.exchange(varied.request(request), bounds);
      await varied.delay(request);
      return varied.answer(answer, request);
    },
    async open(request, bounds) {
      // Before the request is sent: the end of a stream without a listener would be lost.
      await varied.delay(request);
      const live = varied.live(await transport.open(varied.request(request), bounds), request);
      if (varied.holdsHead(request)) await firstBytes(live, bounds);
      return live;
    },
    connect: () => transport.connect(),
    close: () => transport.close(),
  };
}

/** The combined effect of several latitudes on a daemon's answers. */
export class Variation {
  readonly #latitudes: readonly Latitude[];
  readonly #json: JsonBodies;

  constructor(latitudes: readonly Latitude[]) {
    this.#latitudes = latitudes;
    this.#json = new JsonBodies(latitudes);
  }

  async delay(request: WireRequest): Promise<void> {
    const waitMs = Math.max(0, ...this.#latitudes.map(({ delayMs }) => delayMs?.(request) ?? 0));
    if (waitMs > 0) await delay(waitMs);
  }

  /** Whether the head of a live answer comes only with the first bytes of its body. */
  holdsHead(request: WireRequest): boolean {
    return this.#latitudes.some((one) => one.holdsHead?.(request));
  }

  /** The request as the daemon gets it; its answer is translated back. */
  request(asked: WireRequest): WireRequest {
    return this.#latitudes.reduce((varied, { request }) => request?.(varied) ?? varied, asked);
  }

  answer(given: WireAnswer, request: WireRequest): WireAnswer {
    const answer = this.#latitudes.reduce((varied, { answer }) => answer?.(varied, request) ?? varied, given);
    return this.#json.answer(answer, request);
  }

  live(given: LiveAnswer, request: WireRequest): LiveAnswer {
    const { status, headers } = this.#latitudes.reduce<WireHead>(
      (varied, { head }) => head?.(varied, request) ?? varied,
      given,
    );
    const head = { status, headers };
    // Streams are cut after they have been rewritten.
    const changes = [
      this.#json.incoming(head, request),
      ...this.#latitudes.map((one) => one.incoming?.(head, request)),
    ];
    const live = changes.reduce<LiveAnswer>((varied, change) => (change ? behind(varied, change) : varied), given);
    return { ...live, ...head };
  }
}

function behind(live: LiveAnswer, change: Transform): LiveAnswer {
  const incoming = through(live, change);
  const destroy = () => {
    incoming.destroy();
    live.destroy();
  };
  return { ...live, incoming, destroy };
}
