import { once } from 'node:events';
import path from 'node:path';
import { expect } from 'vitest';
import { start } from '../cli/command.ts';
import { workplace } from '../workplace.ts';

/** Where the engine of this test file listens once it is served. */
export function engineSocket(): string {
  return path.join(workplace, 'engine.sock');
}

/**
 * Runs `serve --dialect docker` as a process of its own.
 * @returns what ends it as Ctrl-C does: it has to have lived till then, and to have had nothing to complain of
 */
export async function serveEngine(): Promise<() => Promise<void>> {
  const { child, ended } = start(['serve', '--listen', `unix://${engineSocket()}`, '--dialect', 'docker']);
  // It says where it listens once it does.
  if (child.stdout) await Promise.race([once(child.stdout, 'data'), ended]);
  return async () => {
    child.kill('SIGINT');
    const { status, stderr } = await ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  };
}
