import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Ended {
  /** 128 + N when signal N ended the process. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it wrote to stdout and stderr, in the order it came. */
  readonly output: string;
  readonly durationMs: number;
}

export interface Command {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/**
 * Starts `engine-conformance` as a user would.
 * @param stateDirectory where it keeps its journals, apart from those of the user
 */
export function startCommand(parameters: readonly string[], stateDirectory: string): Command {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_STATE_HOME: stateDirectory, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const ended = once(child, 'close').then(() => ({
    status: child.exitCode,
    signal: child.signalCode,
    output,
    durationMs: Math.round(performance.now() - startedAt),
  }));
  return { process: child, ended };
}

export function runCommand(parameters: readonly string[], stateDirectory: string): Promise<Ended> {
  return startCommand(parameters, stateDirectory).ended;
}
