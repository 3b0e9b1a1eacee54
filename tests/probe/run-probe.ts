import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const probePath = fileURLToPath(new URL('../../harness/probe/bin/probe-linux-amd64', import.meta.url));

/** Why the amd64 program cannot run here; undefined when it can. */
export const cannotRun =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `the amd64 probe does not run on ${process.platform} ${process.arch}`;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program under way, whose output is kept as it comes. */
export class Running {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<unknown>;
  #stdout = '';
  #stderr = '';

  constructor(command: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
    this.#child = spawn(command, args, { ...options, stdio: 'pipe', timeout: 20_000, killSignal: 'SIGKILL' });
    this.#closed = once(this.#child, 'close');
    // The program may end before it has read all its input.
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.setEncoding('latin1').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr.setEncoding('latin1').on('data', (text: string) => {
      this.#stderr += text;
    });
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error(`${this.#child.spawnfile} was not started`);
    return pid;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits until stdout holds the text. */
  async printed(text: string): Promise<void> {
    while (!this.#stdout.includes(text)) {
      const more = await Promise.race([once(this.#child.stdout, 'data'), this.#closed.then(() => undefined)]);
      if (more === undefined && !this.#stdout.includes(text)) {
        throw new Error(`ended without printing ${JSON.stringify(text)}; it printed ${JSON.stringify(this.#stdout)}`);
      }
    }
  }

  send(text: string): void {
    this.#child.stdin.write(text, 'latin1');
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Closes stdin and waits for the end. */
  end(): Promise<Ended> {
    this.#child.stdin.end();
    return this.ended();
  }

  async ended(): Promise<Ended> {
    await this.#closed;
    return {
      code: this.#child.exitCode,
      signal: this.#child.signalCode,
      stdout: this.#stdout,
      stderr: this.#stderr,
    };
  }
}

export function startProbe(...steps: readonly string[]): Running {
  return new Running(probePath, steps);
}

/** Runs the probe on the steps with the input, to its end. */
export function runProbe(steps: readonly string[], input = ''): Promise<Ended> {
  const running = startProbe(...steps);
  running.send(input);
  return running.end();
}
