import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { workplace } from '../workplace.ts';

/** The built command. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How a command ended, and what it wrote. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts the built command in the workplace, with its journals there. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const inherited = { ...process.env };
  for (const name of ['ENGINE_HOST', 'NO_COLOR', 'FORCE_COLOR', 'GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY']) {
    delete inherited[name];
  }
  const child = spawn(process.execPath, [main, ...args], {
    cwd: workplace,
    env: { ...inherited, XDG_STATE_HOME: path.join(workplace, 'state'), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
  return { child, ended };
}

/** Runs the built command to its end. */
export function engineConformance(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return start(args, env).ended;
}
