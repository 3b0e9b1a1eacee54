import { type ChildProcess, fork, type SpawnOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a command ended, and what it wrote. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the launcher tells of a command that it was to start. */
interface Told {
  readonly id: number;
  readonly ended?: Ended;
  readonly error?: string;
}

const script = fileURLToPath(new URL('launcher.js', import.meta.url));
const waiting = new Map<number, { resolve: (ended: Ended) => void; reject: (error: Error) => void }>();
let launcher: ChildProcess | undefined;
let launched = 0;

interface LaunchOptions extends Pick<SpawnOptions, 'cwd' | 'env'> {
  /** How the bytes that it writes become texts; default: as UTF-8. */
  readonly encoding?: 'utf8' | 'latin1';
}

/** Runs a command, which has nothing to read, to its end, started by a small process of this thread. */
export function launch(command: string, args: readonly string[], options: LaunchOptions = {}): Promise<Ended> {
  launcher ??= newLauncher();
  const id = launched++;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    launcher?.send({ id, command, args, options });
  });
}

/** It ends with this thread, and does not keep it alive. */
function newLauncher(): ChildProcess {
  const child = fork(script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.unref();
  child.channel?.unref();
  child.on('message', ({ id, ended, error = 'nothing was told of it' }: Told) => {
    if (ended) waiting.get(id)?.resolve(ended);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  child.once('exit', () => {
    launcher = undefined;
    for (const { reject } of waiting.values()) reject(new Error('the launcher of commands has ended'));
    waiting.clear();
  });
  return child;
}
