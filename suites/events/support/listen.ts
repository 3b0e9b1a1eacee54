import { comesWithin } from '../../../harness/engine/comes-within.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { given } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { filters, type Query } from '../../../harness/engine/query.ts';
import { Listener } from './listener.ts';

/** So long is waited for a head before anything has happened: nothing says that it comes before the first event. */
const headMs = 1_000;
/** The first event may come as late as any other. */
const firstEventMs = 10_000;
/** So long after its head, a stream is taken to have what happens: nothing says that it has it from its head on. */
const settlesMs = 150;

interface ListenOptions {
  /** Unix seconds; what happened since then is told, too. */
  readonly since?: number;
  readonly until?: number;
  /** How long the first event may take, in milliseconds. */
  readonly takesMs?: number;
}

/** A request for the event stream, whose head may come only with the first event. */
export class Opening {
  /** The answer, once its head has come. Rejects with a TransportError when it does not come. */
  readonly live: Promise<LiveExchange>;
  /** The client, once the head has come. Rejects as `live` does. */
  readonly listener: Promise<Listener>;
  readonly #ofNow: boolean;
  readonly #dropped = new AbortController();

  constructor(engine: Engine, { takesMs = firstEventMs, ...bounds }: ListenOptions, query: Query = {}) {
    const { signal } = this.#dropped;
    this.#ofNow = bounds.since === undefined;
    this.live = engine.open('GET', '/events', { query: { ...bounds, ...query }, takesMs, signal });
    this.listener = this.live.then((live) => new Listener(engine, live));
    // Whoever waits for it is told of its failure.
    this.listener.catch(() => {});
  }

  /** Waits until the stream has what happens from now on. @returns false when its head does not come by itself */
  async begins(): Promise<boolean> {
    if (!(await comesWithin(this.live, headMs))) return false;
    await this.settles().catch(() => {});
    return true;
  }

  /** Waits until an open stream has what happens from now on. @throws TransportError when it does not open */
  async settles(): Promise<void> {
    const live = await this.live;
    // A stream from a time on is told what it has missed.
    if (this.#ofNow) await live.stirs(settlesMs);
  }

  /** Drops the connection, whether its head has come or not. */
  drop(): void {
    this.#dropped.abort();
    this.live.then((live) => live.drop()).catch(() => {});
  }
}

/** Opens the event stream. @throws Blocked when it does not open */
export async function listen(engine: Engine, options: ListenOptions = {}): Promise<Listener> {
  const opening = await opened(engine, options);
  await given(opening.live, 200);
  return opening.listener;
}

/** Opens the event stream; whether that is refused is not judged yet. */
export async function listenUnjudged(engine: Engine): Promise<Listener> {
  return (await opened(engine)).listener;
}

type Filters = Readonly<Record<string, readonly string[]>>;

/** Opens the event stream with filters; whether that is refused is not judged yet. */
export async function listenWith(engine: Engine, map: Filters, options: ListenOptions = {}): Promise<Opening> {
  const opening = new Opening(engine, options, { filters: filters(map) });
  // Another client that is told of something meanwhile shows that the daemon has had the time to begin with this one.
  if (!(await opening.begins())) (await listenUnjudged(engine)).live.drop();
  return opening;
}

/** Opens the event stream without filters. Where no head comes by itself, something happens. */
async function opened(engine: Engine, options: ListenOptions = {}): Promise<Opening> {
  const opening = new Opening(engine, options);
  if (await opening.begins()) return opening;
  const container = await makeContainer(engine);
  await given(container.remove(), 204);
  // Whoever waits for it is told of its failure.
  await opening.settles().catch(() => {});
  return opening;
}
