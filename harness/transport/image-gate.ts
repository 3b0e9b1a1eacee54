import type { Duplex } from 'node:stream';
import type { Bounds, LiveAnswer, Transport, Upgrade, WireAnswer, WireRequest } from './wire.ts';

/** What a request does with images. Pulls, builds and pushes are none of these, as a check may hold them open. */
type Use = 'reads' | 'makes' | 'removes';

const uses: readonly (readonly [Use, RegExp])[] = [
  ['removes', /^DELETE (?:\/v[\d.]+)?\/images\//],
  ['makes', /^POST (?:\/v[\d.]+)?\/(?:commit\b|images\/(?:load\b|create\?.*\bfromSrc=-))/],
  [
    'reads',
    /^(?:GET (?:\/v[\d.]+)?\/images\/(?!search\b)|POST (?:\/v[\d.]+)?\/(?:containers\/create|images\/.+\/tag)\b)/,
  ],
];

/** Requests that may be under way at once. */
interface Batch {
  readonly use: Use;
  /** When the batch before it has ended. */
  readonly begins: Promise<unknown>;
  readonly members: Promise<unknown>[];
}

/**
 * Lets no image come or go while another request reads the images. Podman reads all of them to answer for one, and
 * answers 500 when one is half made or half gone; no rule speaks of that, so checks that run at once must not meet it.
 */
export class ImageGate implements Transport {
  readonly #transport: Transport;
  #last: Batch = { use: 'reads', begins: Promise.resolve(), members: [] };

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  exchange(request: WireRequest, bounds: Bounds): Promise<WireAnswer> {
    return this.#inTurn(request, () => this.#transport.exchange(request, bounds));
  }

  open(request: WireRequest, bounds: Bounds & { readonly upgrade: Upgrade }): Promise<LiveAnswer> {
    return this.#inTurn(request, () => this.#transport.open(request, bounds));
  }

  connect(): Promise<Duplex> {
    return this.#transport.connect();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Requests go in the order in which they come: removals one by one, others beside their like. */
  #inTurn<T>(request: WireRequest, send: () => Promise<T>): Promise<T> {
    const use = uses.find(([, pattern]) => pattern.test(`${request.method} ${request.path}`))?.[0];
    if (use === undefined) return send();
    if (use === 'removes' || use !== this.#last.use) {
      const { begins, members } = this.#last;
      this.#last = { use, begins: begins.then(() => Promise.allSettled(members)), members: [] };
    }
    const answer = this.#last.begins.then(send);
    this.#last.members.push(answer);
    return answer;
  }
}
