// The daemons that are measured: the reference engine in a process of its own, and Debian's dockerd and podman where they
// are present.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { lookUntil } from '../dist/harness/engine/look-until.js';
import { program } from './command.js';

const startMs = 30_000;

/** @returns {Promise<{ socketPath: string, stop(): Promise<void> }>} */
export async function startReference(directory, dialect = 'engine') {
  const socketPath = path.join(directory, `reference-${dialect}.sock`);
  const options = ['serve', '--listen', `unix://${socketPath}`, '--dialect', dialect];
  const engine = spawn(process.execPath, [program, ...options], { stdio: 'ignore' });
  const ended = new Promise((resolve) => engine.once('exit', resolve));
  await lookUntil(
    async () => existsSync(socketPath),
    (isThere) => isThere || engine.exitCode !== null,
    startMs,
  );
  if (!existsSync(socketPath)) throw new Error('the reference engine did not start');
  const stop = async () => {
    engine.kill();
    await ended;
  };
  return { socketPath, stop };
}

/**
 * How the tests against real daemons start one: beside others, in a temporary directory.
 * @param {'dockerd' | 'podman'} name
 */
export async function findDaemon(name) {
  const source = fileURLToPath(new URL(`../tests/engines/${name}.ts`, import.meta.url));
  const { module } = await runnerImport(source, { configFile: false, logLevel: 'silent' });
  const engine = module[name];
  const start = async () => {
    const daemon = await engine.start();
    return { socketPath: daemon.socket.replace('unix://', ''), stop: () => daemon.stop() };
  };
  return { unavailable: engine.unavailable(), start };
}
