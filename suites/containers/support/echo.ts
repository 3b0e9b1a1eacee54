import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { given, settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { carriedUntil } from '../../support/streams/carried-text.ts';

/** A client that is attached to a container. */
export interface Client {
  readonly live: LiveExchange;
  readonly send: (text: string) => void;
}

/** What the process writes when it has read all its lines, or reads the end of its input. */
const endOfInput = 'end of input\n';

/** What a process wrote, and what it was expected to write. */
export interface Written {
  readonly stdout: string;
  readonly said: string;
  readonly log: LiveExchange;
}

/**
 * A running container that echoes the lines of its stdin for one client after another, and its log, which shows them.
 */
export class Echo {
  readonly container: Container;
  readonly #log: LiveExchange;
  #said = 'ready\n';
  #lines = 0;

  constructor(container: Container, log: LiveExchange) {
    this.container = container;
    this.#log = log;
  }

  /** What a client sends reaches the process. */
  async expectHeard({ live, send }: Client): Promise<void> {
    const lines = [this.#next('a line'), this.#next('another')];
    send(lines.join(''));
    const { stdout } = await carriedUntil(this.#log, 'stdout', String(lines[1]));
    this.#said += lines.join('');
    expectValue('what the process wrote', stdout, [live, this.#log]).toBe(this.#said);
  }

  /**
   * What clients without stdin send does not reach the process, but what another client with stdin then sends does.
   */
  async expectUnheard(...clients: readonly Client[]): Promise<void> {
    for (const { send } of clients) send('unheard\n');
    // By the time the daemon has answered another request, it has had time to pass on what was sent.
    await given(this.container.inspect(), 200);
    const attach = await given(this.container.attach({ stream: true, stdin: true, stdout: true }), 101, 200);
    const line = this.#next('heard');
    attach.write(line);
    const { stdout } = await settled(
      carriedUntil(this.#log, 'stdout', `\n${line}`),
      'waiting for what was sent with stdin',
    );
    this.#said += line;
    expectValue('what the process wrote', stdout, [...clients.map(({ live }) => live), this.#log]).toBe(this.#said);
  }

  /**
   * What clients without stdin send does not reach the process, but what clients with stdin send after them does.
   * @returns what the process wrote, and its log
   */
  async hearsAll(unheard: readonly Client[], heard: () => AsyncIterable<Client>): Promise<Written> {
    for (const { send } of unheard) send('unheard\n');
    // By the time the daemon has answered another request, it has had time to pass on what was sent.
    await given(this.container.inspect(), 200);
    let stdout = '';
    for await (const { send } of heard()) {
      const lines = [this.#next('a line'), this.#next('another')];
      send(lines.join(''));
      this.#said += lines.join('');
      ({ stdout } = await settled(carriedUntil(this.#log, 'stdout', String(lines[1])), 'waiting for what was sent'));
    }
    return { stdout, said: this.#said, log: this.#log };
  }

  /**
   * What a client sends reaches the process when all others have left. The process reads no further lines, and says so.
   * @param left the other clients
   * @returns what the process wrote, and its log
   */
  async hearsLast(left: readonly LiveExchange[], next: () => Promise<Client>): Promise<Written> {
    for (const live of left) live.drop();
    // By the time the daemon has answered another request, it has had time to see that they are gone.
    await given(this.container.inspect(), 200);
    const { send } = await next();
    const lines = [this.#next('a line'), this.#next('another')].join('');
    send(lines);
    const { stdout } = await carriedUntil(this.#log, 'stdout', endOfInput);
    return { stdout, said: this.#said + lines + endOfInput, log: this.#log };
  }

  /** No two lines are alike, so that each can be waited for. */
  #next(words: string): string {
    const before = this.#lines++;
    return before < 2 ? `${words}\n` : `${words} after ${before} lines\n`;
  }
}

/**
 * @param lines how many lines the process reads, at most
 * @param tellsEnd whether it says when it has read them all, or its input has ended
 */
export async function makeEcho(engine: Engine, lines: number, tellsEnd = false): Promise<Echo> {
  const reads = Array.from({ length: lines }, () => 'echo-line');
  const end = tellsEnd ? ['out', endOfInput.replace('\n', '\\n')] : [];
  const run = ['out', 'ready\\n', ...reads, ...end, 'forever'];
  const config = { OpenStdin: true, StdinOnce: false };
  const container = await makeContainer(engine, { run, state: 'running', config });
  const log = await given(container.openLogs({ follow: true, stdout: true }), 200);
  await settled(log.receivedText('ready'), `waiting for "ready" in the container's output`);
  return new Echo(container, log);
}
