import { chmod, chown, stat } from 'node:fs/promises';
import type net from 'node:net';
import { isMainThread } from 'node:worker_threads';
import type { Address } from '../harness/target/address.ts';
import { UsageError } from '../harness/usage-error.ts';
import { removeStaleSocket } from './stale-socket.ts';

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
  await removeStaleSocket(socketPath);
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
