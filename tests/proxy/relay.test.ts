import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type Address, parseAddress } from '../../harness/target/address.ts';
import type { Observer } from '../../proxy/relay.ts';
import { type RunningProxy, startProxy } from '../../proxy/server.ts';
import { newSocketPath } from '../harness/servers.ts';

const blind = { sent() {}, received() {}, receivedAll() {}, closed() {} };

interface Started {
  readonly proxy: RunningProxy;
  readonly socketPath: string;
  readonly said: readonly string[];
}

/** A process that is killed leaves its socket behind. */
function leaveSocket(socketPath: string): void {
  const listens = `require('net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', listens]);
  if (!existsSync(socketPath)) throw new Error('no socket was left behind');
}

async function started(
  upstream: Address,
  observe: () => Observer = () => blind,
  socketPath = newSocketPath(),
): Promise<Started> {
  const said: string[] = [];
  const listen = parseAddress(`unix://${socketPath}`);
  const proxy = await startProxy({ listen, upstream, observe, say: (line) => said.push(line) });
  onTestFinished(() => proxy.close());
  return { proxy, socketPath, said };
}

/** A daemon that does what it likes with its connections. */
async function daemon(serve: (socket: net.Socket) => void, socketPath = newSocketPath()) {
  const sockets = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const die = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(die);
  return { address: parseAddress(`unix://${socketPath}`), socketPath, sockets, die };
}

function connect(path: string): net.Socket {
  const socket = net.connect({ path, allowHalfOpen: true });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Writes bytes in pieces of sizes that have nothing to do with anything. */
async function writeInPieces(socket: net.Socket, bytes: Buffer): Promise<void> {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7919) % 200_003) {
    if (!socket.write(bytes.subarray(at, at + size))) await once(socket, 'drain');
  }
  socket.end();
}

test('carries any bytes of both directions as they are, at the same time, and each end by itself', async () => {
  const [up, down] = [randomBytes(20_000_000), randomBytes(20_000_000)];
  const arrived = deferred<string>();
  const { address } = await daemon((socket) => {
    void buffer(socket).then((bytes) => arrived.resolve(digest(bytes)));
    void writeInPieces(socket, down);
  });
  const { socketPath } = await started(address);
  const client = connect(socketPath);
  const [received] = await Promise.all([buffer(client), writeInPieces(client, up)]);
  expect(digest(received)).toBe(digest(down));
  expect(await arrived.promise).toBe(digest(up));
});

test('lets a daemon answer for long after the client has ended its direction', async () => {
  const { address } = await daemon((socket) => {
    socket.resume().once('end', () => setTimeout(() => socket.end('after all'), 50));
  });
  const { socketPath } = await started(address);
  const client = connect(socketPath);
  client.end('request');
  expect(String(await buffer(client))).toBe('after all');
});

test('reads no faster than the other side takes', async () => {
  const { address, sockets } = await daemon((socket) => void socket.pause());
  const { socketPath } = await started(address);
  const client = connect(socketPath);
  let written = 0;
  while (written < 64_000_000 && client.write(Buffer.alloc(100_000))) written += 100_000;
  // What is written is only what sockets and two buffers hold.
  await new Promise((resolve) => setTimeout(resolve, 200));
  while (written < 64_000_000 && client.write(Buffer.alloc(100_000))) written += 100_000;
  expect(written).toBeLessThan(16_000_000);
  for (const socket of sockets) socket.resume();
  await once(client, 'drain');
});

test('tells the client that the daemon is gone as the daemon would: the end first, and a broken connection for what it sends', async () => {
  const { address, sockets } = await daemon((socket) => void socket.resume());
  const { socketPath } = await started(address);
  const client = connect(socketPath).resume();
  client.write('x');
  await expect.poll(() => sockets.size).toBe(1);
  for (const socket of sockets) socket.destroy();
  await once(client, 'end');
  const closed = new Promise((resolve) => client.once('close', resolve));
  const writing = setInterval(() => client.write('y'), 10);
  onTestFinished(() => clearInterval(writing));
  await closed;
});

test('ends the connection to the daemon when the client goes away', async () => {
  const gone = deferred<void>();
  const { address } = await daemon((socket) => void socket.resume().once('end', gone.resolve));
  const { socketPath } = await started(address);
  const client = connect(socketPath);
  client.write('x', () => client.destroy());
  await gone.promise;
});

test('closes what clients open while no daemon is there, says so once, and goes on when one is back', async () => {
  const upstream = newSocketPath();
  const { socketPath, said } = await started(parseAddress(`unix://${upstream}`));
  for (let times = 0; times < 2; times++) await once(connect(socketPath).resume(), 'end');
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('cannot be reached');
  await daemon((socket) => void socket.end('here'), upstream);
  expect(String(await buffer(connect(socketPath)))).toBe('here');
  expect(said).toHaveLength(2);
  expect(said[1]).toContain('is back');
});

test('an observer that is told of bytes is told of all of them, in order, with what ended the connection', async () => {
  const { address } = await daemon((socket) => void socket.once('data', () => socket.end('answer')));
  const told: string[] = [];
  const closed = deferred<void>();
  const { socketPath } = await started(address, () => ({
    sent: (bytes) => void told.push(`> ${bytes}`),
    received: (bytes) => void told.push(`< ${bytes}`),
    receivedAll: () => void told.push('end of answers'),
    closed(by) {
      told.push(`closed by ${by}`);
      closed.resolve();
    },
  }));
  const client = connect(socketPath);
  client.write('request');
  await buffer(client);
  client.end();
  await closed.promise;
  expect(told).toEqual(['> request', '< answer', 'end of answers', 'closed by both']);
});

test('listens where a socket was left behind, lets in whom the daemon lets in, and takes the socket away', async () => {
  const { address, socketPath: upstream } = await daemon((socket) => void socket.end('here'));
  await chmod(upstream, 0o640);
  const left = newSocketPath();
  leaveSocket(left);
  const { proxy, socketPath } = await started(address, () => blind, left);
  expect(statSync(socketPath).mode & 0o777).toBe(0o640);
  expect(String(await buffer(connect(socketPath)))).toBe('here');
  await proxy.close();
  expect(existsSync(socketPath)).toBe(false);
});

test('listens neither where something listens, nor in the place of a file, nor where its daemon is', async () => {
  const { address, socketPath } = await daemon(() => {});
  await expect(started(address, () => blind, socketPath)).rejects.toThrow('are the same socket');
  const other = await daemon(() => {});
  await expect(started(address, () => blind, other.socketPath)).rejects.toThrow('is in use');
  const file = newSocketPath();
  await writeFile(file, 'a file');
  await expect(started(address, () => blind, file)).rejects.toThrow('is not a socket');
  await expect(started(address, () => blind, '/no/such/directory/socket')).rejects.toThrow('cannot listen');
});
