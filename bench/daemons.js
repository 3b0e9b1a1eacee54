// The daemons that are measured: the reference engine in a process of its own, and Debian's dockerd where it is present.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { program } from './command.js';

/** @returns {Promise<{ socketPath: string, stop(): Promise<void> }>} */
export async function startReference(directory) {
  const socketPath = path.join(directory, 'reference.sock');
  const engine = spawn(process.execPath, [program, 'serve', '--listen', `unix://${socketPath}`], { stdio: 'ignore' });
  const ended = new Promise((resolve) => engine.once('exit', resolve));
  while (!existsSync(socketPath)) {
    if (engine.exitCode !== null) throw new Error('the reference engine did not start');
    await delay(20);
  }
  const stop = async () => {
    engine.kill();
    await ended;
  };
  return { socketPath, stop };
}

/** How the tests against real daemons start one: beside others, in a temporary directory. */
export async function findDockerd() {
  const source = fileURLToPath(new URL('../tests/engines/dockerd.ts', import.meta.url));
  const { module } = await runnerImport(source, { configFile: false, logLevel: 'silent' });
  const { dockerd } = module;
  const start = async () => {
    const daemon = await dockerd.start();
    return { socketPath: daemon.socket.replace('unix://', ''), stop: () => daemon.stop() };
  };
  return { unavailable: dockerd.unavailable(), start };
}
