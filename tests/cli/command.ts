import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, launch } from '../launcher.ts';
import { workplace } from '../workplace.ts';

/** The built command. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** What would change what a command does. Certificates, moreover, are read at each start, which takes node 50 ms. */
const ofTheCaller = [
  'ENGINE_HOST',
  'NO_COLOR',
  'FORCE_COLOR',
  'GITHUB_ACTIONS',
  'GITHUB_STEP_SUMMARY',
  'NODE_EXTRA_CA_CERTS',
];

/** In the workplace, with its journals there. */
function placeFor(env: NodeJS.ProcessEnv): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const inherited = Object.entries(process.env).filter(([name]) => !ofTheCaller.includes(name));
  return {
    cwd: workplace,
    env: { ...Object.fromEntries(inherited), XDG_STATE_HOME: path.join(workplace, 'state'), ...env },
  };
}

/** Starts the built command in the workplace. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, [main, ...args], placeFor(env));
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

/** Runs the built command in the workplace to its end. */
export function engineConformance(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return launch(process.execPath, [main, ...args], placeFor(env));
}
