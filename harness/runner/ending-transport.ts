import type { Duplex } from 'node:stream';
import { routes } from '../../specs/known-routes.ts';
import { TransportError } from '../transport/errors.ts';
import type { Bounds, LiveAnswer, Transport, Upgrade, WireAnswer, WireRequest } from '../transport/wire.ts';

/** The endpoints that make something, which a clean-up has to remove. */
const making: ReadonlySet<string | undefined> = new Set([
  'containers.create',
  'images.build',
  'images.commit',
  'images.create',
  'images.load',
  'images.tag',
  'networks.create',
  'volumes.create',
]);

/** A request that has no answer yet. */
interface Open {
  readonly makes: boolean;
  /** Considers the answer lost. */
  drop(): void;
}

/**
 * The transport of a run's checks. When the run ends early, checks are still at work: from then on nothing is sent,
 * requests that only read are abandoned, and requests that make something are waited for, so that nothing appears after
 * the clean-up.
 */
export class EndingTransport implements Transport {
  readonly #transport: Transport;
  readonly #open = new Set<Open>();
  #ending: Promise<void> | undefined;
  /** Called when a request got its answer after the end. */
  #answered = () => {};

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  exchange(request: WireRequest, bounds: Bounds): Promise<WireAnswer> {
    return this.#send(request, () => this.#transport.exchange(request, bounds));
  }

  open(request: WireRequest, bounds: Bounds & { readonly upgrade: Upgrade }): Promise<LiveAnswer> {
    return this.#send(request, () => this.#transport.open(request, bounds), forget);
  }

  async connect(): Promise<Duplex> {
    if (this.#ending) throw hasEnded();
    return this.#transport.connect();
  }

  /** Sends nothing more, and waits for the answers of requests that make things, up to a bound in milliseconds. */
  end(boundMs: number): Promise<void> {
    this.#ending ??= this.#end(boundMs);
    return this.#ending;
  }

  async #end(boundMs: number): Promise<void> {
    for (const open of [...this.#open]) if (!open.makes) open.drop();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, boundMs);
      this.#answered = () => {
        if (this.#open.size > 0) return;
        clearTimeout(timer);
        resolve();
      };
      this.#answered();
    });
    for (const open of [...this.#open]) open.drop();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** @param late takes an answer that comes when it is considered lost */
  async #send<T>(request: WireRequest, send: () => Promise<T>, late: (answer: T) => void = () => {}): Promise<T> {
    if (this.#ending) throw hasEnded();
    return new Promise<T>((resolve, reject) => {
      const done = () => {
        this.#open.delete(open);
        this.#answered();
      };
      const open: Open = {
        makes: making.has(routes.find(request.method, request.path)?.id),
        drop: () => {
          reject(hasEnded());
          done();
        },
      };
      this.#open.add(open);
      const take = (answer: T) => (this.#open.has(open) ? resolve(answer) : late(answer));
      send().then(take, reject).finally(done);
    });
  }
}

/** Drops a stream that nobody reads, nor hears that it was dropped. */
function forget(live: LiveAnswer): void {
  live.incoming.on('error', () => {});
  live.destroy();
}

function hasEnded(): TransportError {
  return new TransportError('closed', 'the run has ended');
}
