import { lstat, rm } from 'node:fs/promises';
import net from 'node:net';
import { UsageError } from '../harness/usage-error.ts';

/** Removes a socket that a killed process left. @throws UsageError for one in use, and for a file that is not a socket */
export async function removeStaleSocket(socketPath: string): Promise<void> {
  const there = await lstat(socketPath).catch(() => undefined);
  if (!there) return;
  if (!there.isSocket()) throw new UsageError(`${socketPath} already exists and is not a socket`);
  if (await answers(socketPath)) throw new UsageError(`${socketPath} is in use: something is listening there`);
  await rm(socketPath);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Only a refused connection shows that nobody listens.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}
