import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { normalInSed } from '../../reports/repro/normal.ts';
import { workplace } from '../workplace.ts';

const file = new URL('../../reports/repro/library.sh', import.meta.url);
const library = readFileSync(file, 'utf8').replace('@NORMAL@', normalInSed);

/** A daemon that upgrades a connection only some time after bytes have come on it, and then sends some. */
async function lateDaemon(): Promise<{ readonly address: string; close(): void }> {
  const socketPath = path.join(workplace, 'late.sock');
  const server = net.createServer((socket) => {
    let came = '';
    socket.on('error', () => {});
    socket.on('data', async (bytes) => {
      const isFirst = !came.includes('typed');
      came += bytes.toString('latin1');
      if (!isFirst || !came.includes('typed')) return;
      await delay(500);
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nhello');
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return { address: `unix://${socketPath}`, close: () => server.close() };
}

test('what a daemon answers after it was fed is read at once', { timeout: 60_000 }, async () => {
  const daemon = await lateDaemon();
  const typed = Buffer.from('typed').toString('base64');
  const script = [
    `ENGINE_HOST=${daemon.address}`,
    library,
    `feed 1 0.1 ${typed}`,
    `begin 1 120 POST /attach 'connection: upgrade' 'upgrade: tcp'`,
    'opened 1',
    'finish 1 101 5 5',
    'status_of 1',
    'cat "$D/1.out"',
  ].join('\n');
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], { timeout: 50_000 });
  daemon.close();
  expect(stdout).toBe('101\nhello');
});
