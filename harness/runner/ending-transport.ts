import { TransportError } from '../transport/errors.ts';
import type { Bounds, LiveAnswer, Transport, Upgrade, WireAnswer, WireRequest } from '../transport/wire.ts';

const making =
  /^POST (?:\/v[\d.]+)?\/(?:containers|networks|volumes|images)\/(?:create|load)|^POST .*\/(?:commit|build|tag)\b/;

/**
 * The transport of a run's checks. When the run ends early, checks are still at work: from then on nothing more is
 * sent, and what they are just making is waited for, so that it does not appear behind the clean-up.
 */
export class EndingTransport implements Transport {
  readonly #transport: Transport;
  readonly #making = new Set<Promise<unknown>>();
  #ended = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  exchange(request: WireRequest, bounds: Bounds): Promise<WireAnswer> {
    return this.#send(request, () => this.#transport.exchange(request, bounds));
  }

  open(request: WireRequest, bounds: Bounds & { readonly upgrade: Upgrade }): Promise<LiveAnswer> {
    return this.#send(request, () => this.#transport.open(request, bounds));
  }

  /** Sends nothing more, and waits for the answers of requests that make things, up to a bound in milliseconds. */
  async end(boundMs: number): Promise<void> {
    this.#ended = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, boundMs);
    });
    await Promise.race([Promise.allSettled(this.#making), late]);
    clearTimeout(timer);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #send<T>(request: WireRequest, send: () => Promise<T>): Promise<T> {
    if (this.#ended) throw new TransportError('closed', 'the run has ended');
    const sent = send();
    if (making.test(`${request.method} ${request.path}`)) {
      this.#making.add(sent);
      const done = () => this.#making.delete(sent);
      sent.then(done, done);
    }
    return sent;
  }
}
