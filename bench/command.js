// Runs a program and tells what it cost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const hook = new URL('./measure.js', import.meta.url).href;

/** The program as the build has it. */
export const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/**
 * @param {string} script
 * @param {readonly string[]} parameters
 * @param {string} directory where its temporary files and its journals go
 * @returns {Promise<{ status: number | null, output: string, wallMs: number, cpuMs: number, peakMb: number }>}
 */
export async function measured(script, parameters, directory) {
  const usage = path.join(directory, 'usage.json');
  rmSync(usage, { force: true });
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', hook, script, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, BENCH_USAGE: usage, TMPDIR: directory, XDG_STATE_HOME: directory, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  await once(child, 'close');
  const wallMs = performance.now() - startedAt;
  return { status: child.exitCode, output, wallMs, ...JSON.parse(readFileSync(usage, 'utf8')) };
}
