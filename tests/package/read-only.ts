import { execFile, execFileSync } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import path from 'node:path';

interface CommandOutcome {
  readonly status: number;
  readonly output: string;
}

/** Runs commands that find one directory read-only. */
export interface ReadOnly {
  run(command: readonly string[], cwd: string, environment: NodeJS.ProcessEnv): Promise<CommandOutcome>;
  restore(): Promise<void>;
}

const mountReadOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';

/** By a mount that only the command sees for root, whom permissions do not bind; for others by permissions. */
export async function readOnly(directory: string): Promise<ReadOnly> {
  if (process.getuid?.() === 0) {
    const prefix = ['unshare', '--mount', 'sh', '-c', mountReadOnly, directory];
    return {
      run: (command, cwd, environment) => run([...prefix, ...command], cwd, environment),
      restore: async () => {},
    };
  }
  await setWritable(directory, false);
  return { run, restore: () => setWritable(directory, true) };
}

/** Why no directory can be made read-only here, or undefined. */
export function readOnlyUnavailable(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'root may not make mounts here';
  }
}

function run(
  [program = '', ...parameters]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const child = execFile(program, parameters, { cwd, env, maxBuffer: 16 * 1024 * 1024 }, (_, stdout, stderr) => {
      resolve({ status: child.exitCode ?? -1, output: stdout + stderr });
    });
  });
}

async function setWritable(directory: string, writable: boolean): Promise<void> {
  await chmod(directory, writable ? 0o755 : 0o555);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await setWritable(path.join(directory, entry.name), writable);
  }
}
