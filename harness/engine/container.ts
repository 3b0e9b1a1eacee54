import { valuesAt } from '../streams/json-path.ts';
import { TransportError } from '../transport/errors.ts';
import type { Engine, RequestOptions } from './engine.ts';
import type { Exchange } from './exchange.ts';
import { given, settled } from './given.ts';
import type { LiveExchange } from './live-exchange.ts';
import { lookUntil } from './look-until.ts';
import type { Query } from './query.ts';

/** What is not in the log after this time is considered lost. */
const logLagMs = 1_000;

/**
 * A container of the suite, with the operations of Document 2. Each returns the exchange, to be judged or passed to
 * `given`.
 */
export class Container {
  /** The identifier from create, or the name when the daemon has not been asked yet. */
  readonly id: string;
  readonly name: string;
  readonly #engine: Engine;

  constructor(engine: Engine, id: string, name: string) {
    this.#engine = engine;
    this.id = id;
    this.name = name;
  }

  /** The same container, used through another engine. */
  boundTo(engine: Engine): Container {
    return new Container(engine, this.id, this.name);
  }

  path(operation: string): string {
    return `/containers/${encodeURIComponent(this.id)}/${operation}`;
  }

  inspect(query?: Query): Promise<Exchange> {
    return this.#engine.get(this.path('json'), query);
  }

  start(options?: RequestOptions): Promise<Exchange> {
    return this.#engine.post(this.path('start'), options);
  }

  stop(query: Query & { t?: number } = {}): Promise<Exchange> {
    return this.#engine.post(this.path('stop'), { query, takesMs: stopMs(query.t) });
  }

  restart(query: Query & { t?: number } = {}): Promise<Exchange> {
    return this.#engine.post(this.path('restart'), { query, takesMs: stopMs(query.t) });
  }

  kill(query?: Query): Promise<Exchange> {
    return this.#engine.post(this.path('kill'), query ? { query } : {});
  }

  pause(): Promise<Exchange> {
    return this.#engine.post(this.path('pause'));
  }

  unpause(): Promise<Exchange> {
    return this.#engine.post(this.path('unpause'));
  }

  wait(options?: RequestOptions): Promise<Exchange> {
    return this.#engine.post(this.path('wait'), options);
  }

  rename(name: string): Promise<Exchange> {
    return this.#engine.post(this.path('rename'), { query: { name } });
  }

  remove(query?: Query): Promise<Exchange> {
    return this.#engine.delete(`/containers/${encodeURIComponent(this.id)}`, query);
  }

  /**
   * Reads the log, anew for a moment while it lacks something: nothing says how soon output gets there.
   * @param isWhole whether the log has all that was written; by default whether it has anything
   */
  logs(query: Query, isWhole: (log: Exchange) => boolean = hasOutput): Promise<Exchange> {
    const read = () => this.#engine.get(this.path('logs'), query);
    return lookUntil(read, (log) => log.status !== 200 || isWhole(log), logLagMs);
  }

  /** Opens a log stream; without `follow` it ends by itself. */
  openLogs(query: Query, upgrade = false): Promise<LiveExchange> {
    return this.#engine.open('GET', this.path('logs'), { query, upgrade });
  }

  attach(query: Query, options: { upgrade?: boolean; takesMs?: number } = {}): Promise<LiveExchange> {
    return this.#engine.open('POST', this.path('attach'), { query, upgrade: true, ...options });
  }

  /**
   * Waits until the container's log contains each of the texts, so that its process has certainly come that far. The
   * process has to end the line: engines store whole lines.
   */
  async hasWritten(...texts: readonly string[]): Promise<void> {
    const logs = await given(this.openLogs({ follow: true, stdout: true, stderr: true }), 200);
    for (const text of texts) {
      await settled(logs.receivedText(text), `waiting for ${JSON.stringify(text)} in the container's output`);
    }
    logs.drop();
  }

  /** Waits until the container has ended. @throws Blocked when it does not */
  async hasEnded(): Promise<void> {
    await given(this.wait(), 200);
  }

  /** Waits until a restart policy has restarted the container this many times. @throws Blocked when it does not */
  async hasRestarted(times: number): Promise<void> {
    const restarts = ({ json }: Exchange) => Number(valuesAt(json, 'RestartCount')[0]);
    await this.inspectUntil(`${times} restarts`, (inspect) => restarts(inspect) >= times, 20_000);
  }

  /**
   * Repeats inspect until its answer satisfies a condition.
   * @returns the satisfying exchange
   * @throws Blocked when inspect fails, or the bound runs out
   */
  async inspectUntil(what: string, satisfied: (inspect: Exchange) => boolean, boundMs = 5_000): Promise<Exchange> {
    const inspect = await lookUntil(() => given(this.inspect(), 200), satisfied, boundMs);
    if (satisfied(inspect)) return inspect;
    const late = new TransportError('timeout', `inspect did not show ${what} within ${boundMs} ms`);
    return settled(Promise.reject(late), 'waiting for a state');
  }
}

function hasOutput({ answer }: Exchange): boolean {
  return answer.body.length > 0;
}

/** How long a stop waits for the process before it kills it. @param t in seconds; by default as engines have it */
function stopMs(t = 10): number {
  return t * 1_000;
}
