import { valuesAt } from '../streams/json-path.ts';
import { holdsText } from '../streams/text.ts';
import { TransportError } from '../transport/errors.ts';
import type { Container } from './container.ts';
import type { Engine, RequestOptions } from './engine.ts';
import type { Exchange } from './exchange.ts';
import { given, settled } from './given.ts';
import type { LiveExchange } from './live-exchange.ts';
import { type LookUntilOptions, lookUntil } from './look-until.ts';
import type { Query } from './query.ts';

export interface ExecOptions {
  /** Steps of the probe (docs/probe.md). Default: waits forever. */
  readonly run?: readonly string[];
  /** Further members of the body of exec create. */
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface ExecStart {
  readonly tty?: boolean;
  /** Whether to upgrade the connection. Default true. */
  readonly upgrade?: boolean;
}

/** An exec instance of the suite, with the operations of Document 3. It ends with its container at the latest. */
export class Exec {
  readonly id: string;
  readonly #engine: Engine;

  constructor(engine: Engine, id: string) {
    this.#engine = engine;
    this.id = id;
  }

  path(operation: string): string {
    return `/exec/${encodeURIComponent(this.id)}/${operation}`;
  }

  inspect(): Promise<Exchange> {
    return this.#engine.get(this.path('json'));
  }

  resize(query: Query): Promise<Exchange> {
    return this.#engine.post(this.path('resize'), { query });
  }

  /** Starts the command and stays connected to it. */
  start({ tty = false, upgrade = true }: ExecStart = {}): Promise<LiveExchange> {
    return this.#engine.open('POST', this.path('start'), { json: { Detach: false, Tty: tty }, upgrade });
  }

  startDetached(options: RequestOptions = { json: { Detach: true, Tty: false } }): Promise<Exchange> {
    return this.#engine.post(this.path('start'), options);
  }

  /** Repeats inspect until it shows that the command has ended. @throws Blocked when it does not */
  async hasEnded(): Promise<Exchange> {
    const inspect = await this.inspectUntilEnded();
    if (valuesAt(inspect.json, 'Running')[0] === false) return inspect;
    const late = new TransportError('timeout', 'exec inspect does not show the end of the command');
    return settled(Promise.reject(late), 'waiting for the end of a command');
  }

  /** Repeats inspect until it shows that the command has ended, or the bound runs out. */
  inspectUntilEnded(boundMs = 5_000, options: LookUntilOptions = {}): Promise<Exchange> {
    const look = () => given(this.inspect(), 200);
    return lookUntil(look, ({ json }) => valuesAt(json, 'Running')[0] === false, boundMs, options);
  }
}

/** A body of exec create: the probe, with its output attached. */
export function execBody({ run = ['forever'], config = {} }: ExecOptions = {}): Record<string, unknown> {
  return { AttachStdout: true, AttachStderr: true, Cmd: ['/probe', ...run], ...config };
}

/** Sends exec create and returns the exchange, to be judged. */
export function createExec(engine: Engine, container: string, body: unknown): Promise<Exchange> {
  return engine.post(`/containers/${encodeURIComponent(container)}/exec`, { json: body });
}

/** Creates a command in a running container. @throws Blocked when that fails */
export async function makeExec(
  engine: Engine,
  container: Pick<Container, 'id'>,
  options: ExecOptions = {},
): Promise<Exec> {
  return execOf(engine, await given(createExec(engine, container.id, execBody(options)), 201));
}

/** The exec instance in an answer of exec create. */
export function execOf(engine: Engine, created: Exchange): Exec {
  return new Exec(engine, String(valuesAt(created.json, 'Id')[0]));
}

/** A terminal that shows nothing for this long, while others of its container do, will not show anything. */
const readyMs = 10_000;

/**
 * A command with a terminal that has written `ready`. dockerd occasionally starts one that never shows anything, so
 * another is started in its place: what is judged comes after that.
 * @param start creates such a command and starts it
 * @throws Blocked when several in a row show nothing
 */
export async function readyTerminal(start: () => Promise<LiveExchange>): Promise<LiveExchange> {
  for (let left = 2; left > 0; left--) {
    const live = await start();
    if (await live.satisfiesWithin(readyMs, (bytes) => holdsText(bytes, 'ready'))) return live;
  }
  const last = await start();
  await settled(last.receivedText('ready'), 'waiting for the command');
  return last;
}
