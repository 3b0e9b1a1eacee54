import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { routes } from '../../specs/known-routes.ts';
import type { Bounds, LiveAnswer, Transport, Upgrade, WireAnswer, WireRequest } from './wire.ts';

/** What a request does with images. Pulls, builds and pushes are excluded, as a check may hold them open. */
type Use = 'reads' | 'reads at first' | 'makes' | 'removes';

const uses: Readonly<Record<string, Use>> = {
  'containers.create': 'reads at first',
  'images.list': 'reads',
  'images.inspect': 'reads',
  'images.history': 'reads',
  'images.save': 'reads',
  'images.save-several': 'reads',
  'images.tag': 'reads',
  'images.commit': 'makes',
  'images.load': 'makes',
  'images.remove': 'removes',
};

function useOf({ method, path }: WireRequest): Use | undefined {
  const id = routes.find(method, path)?.id ?? '';
  // An import from the body, which is not a pull.
  return id === 'images.create' && /[?&]fromSrc=-/.test(path) ? 'makes' : uses[id];
}

/** A waiting request that makes or removes images. */
interface Change {
  readonly use: 'makes' | 'removes';
  /** Sends it. Resolves at its answer or failure. */
  readonly send: () => Promise<void>;
}

/** Changes wait this long for others, so that many of them interrupt reading only once. */
const gatherMs = 10;
/**
 * A request that reads at first delays changes no longer than this, in milliseconds. What takes longer is something
 * else: to find that there is no such driver may take a quarter of a minute.
 */
const atFirstMs = 2_000;

/**
 * Lets no image appear or disappear while another request reads images. Podman reads all of them to answer for one, and
 * answers 500 when one is incomplete; no rule mentions that, so concurrent checks must not run into it.
 */
export class ImageGate implements Transport {
  readonly #transport: Transport;
  readonly #atFirstMs: number;
  readonly #reads = new Set<Promise<unknown>>();
  readonly #changes: Change[] = [];
  /** Whether changes are being gathered or made. */
  #changing = false;
  /** Settles when the changes that delay reads have been made; absent when there are none. */
  #closed: Promise<void> | undefined;

  /** @param mostMs how long a request that reads at first may delay changes, in milliseconds */
  constructor(transport: Transport, mostMs = atFirstMs) {
    this.#transport = transport;
    this.#atFirstMs = mostMs;
  }

  exchange(request: WireRequest, bounds: Bounds): Promise<WireAnswer> {
    return this.#inTurn(request, bounds, () => this.#transport.exchange(request, bounds));
  }

  open(request: WireRequest, bounds: Bounds & { readonly upgrade: Upgrade }): Promise<LiveAnswer> {
    return this.#inTurn(request, bounds, () => this.#transport.open(request, bounds));
  }

  connect(): Promise<Duplex> {
    return this.#transport.connect();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #inTurn<T>(request: WireRequest, { onTurn }: Bounds, send: () => Promise<T>): Promise<T> {
    const use = useOf(request);
    if (use === undefined) return send();
    const sendNow = () => {
      onTurn?.();
      return send();
    };
    if (use === 'reads') return this.#read(sendNow);
    if (use === 'reads at first') return this.#read(sendNow, this.#atFirstMs);
    return new Promise((resolve, reject) => {
      this.#changes.push({ use, send: () => sendNow().then(resolve, reject) });
      if (!this.#changing) void this.#change();
    });
  }

  /** @param mostMs how long it delays changes at most, in milliseconds */
  async #read<T>(send: () => Promise<T>, mostMs?: number): Promise<T> {
    while (this.#closed) await this.#closed;
    let over = () => {};
    const reading = new Promise<void>((resolve) => {
      over = resolve;
    });
    this.#reads.add(reading);
    const limit = mostMs === undefined ? undefined : setTimeout(over, mostMs);
    try {
      return await send();
    } finally {
      clearTimeout(limit);
      over();
      this.#reads.delete(reading);
    }
  }

  /** Makes the waiting changes: first those that make images, concurrently, then the removals one by one. */
  async #change(): Promise<void> {
    this.#changing = true;
    while (this.#changes.length > 0) {
      if (this.#reads.size > 0) await delay(gatherMs);
      this.#closed = this.#changed();
      await this.#closed;
      this.#closed = undefined;
    }
    this.#changing = false;
  }

  async #changed(): Promise<void> {
    await Promise.allSettled(this.#reads);
    const changes = this.#changes.splice(0);
    await Promise.all(changes.filter(({ use }) => use === 'makes').map(({ send }) => send()));
    for (const { use, send } of changes) if (use === 'removes') await send();
  }
}
