import { chmod, chown, lstat, rm, stat } from 'node:fs/promises';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';
import type { Address } from '../harness/target/address.ts';
import { UsageError } from '../harness/usage-error.ts';

/** Only the owner of this process. */
const ownerOnly = 0o600;

/**
 * Makes a server listen. An abandoned unix socket is replaced; the new one admits nobody whom the upstream's socket
 * excludes.
 * @throws UsageError when the address is taken or cannot be listened on
 */
export async function listen(server: net.Server, address: Address, upstream: Address): Promise<void> {
  if (address.kind === 'tcp') return begin(server, address, { host: address.host, port: address.port });
  const { socketPath } = address;
  if (upstream.kind === 'unix' && upstream.socketPath === socketPath) {
    throw new UsageError('--listen and --upstream are the same socket');
  }
  await removeStale(socketPath);
  await forOwnerOnly(() => begin(server, address, { path: socketPath }));
  if (upstream.kind === 'unix') await admitLike(upstream.socketPath, socketPath);
}

/** Whatever `make` creates is accessible only to the owner, until it is opened to others. */
async function forOwnerOnly(make: () => Promise<void>): Promise<void> {
  // A worker has no umask of its own, and must not change that of the process.
  if (!isMainThread) return make();
  const mask = process.umask(0o777 & ~ownerOnly);
  try {
    await make();
  } finally {
    process.umask(mask);
  }
}

function begin(server: net.Server, address: Address, where: net.ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new UsageError(`cannot listen on ${address.text}: ${error.message}`));
    server.once('error', fail);
    server.listen(where, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

/** Removes an abandoned socket. @throws UsageError for one in use, and for a file that is not a socket */
async function removeStale(socketPath: string): Promise<void> {
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

/**
 * Gives the new socket the mode and group of another; without that group it stays closed to groups. If there is no
 * other one (yet), only the owner has access.
 */
async function admitLike(model: string, socketPath: string): Promise<void> {
  const { mode = ownerOnly, uid = -1, gid = -1 } = (await stat(model).catch(() => undefined)) ?? {};
  const isOurs = await chown(socketPath, uid, gid).then(
    () => true,
    () => false,
  );
  const admitted = isOurs ? 0o777 : 0o700;
  await chmod(socketPath, mode & admitted);
}
