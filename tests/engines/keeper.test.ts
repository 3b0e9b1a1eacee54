import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { workplace } from '../workplace.ts';
import { DaemonClient } from './client.ts';
import { launch } from './daemon.ts';

/** Answers everything as an empty daemon, and crashes when it is asked for a container: it is there a little longer than its socket. */
const crashing = `
  const server = require('node:http').createServer(({ url }, answer) => {
    if (url.includes('/containers/one/')) {
      console.error('a line before\\nfatal error: a mistake of the daemon\\nwhere it was');
      server.close();
      server.closeAllConnections();
      setTimeout(() => process.exit(2), 500);
      return;
    }
    answer.end(url.endsWith('/version') ? '{"Version":"1"}' : '[]');
  }).listen(process.argv[1]);
`;

async function launched() {
  const directory = mkdtempSync(path.join(workplace, 'daemon-'));
  const socketPath = path.join(directory, 'socket');
  const command = [process.execPath, '--eval', crashing, socketPath];
  return launch({ name: 'crashing', directory, socketPath, command, environment: {}, after: [] });
}

test('a daemon that crashed is told of, from where it says why', async () => {
  const daemon = await launched();
  const client = new DaemonClient(daemon.socket);
  await expect(client.json('GET', '/containers/one/json')).rejects.toThrow();
  await client.close();
  await expect(daemon.stop()).rejects.toThrow(
    'the daemon ended by itself, by exit code 2:\nfatal error: a mistake of the daemon\nwhere it was\n',
  );
});

const freezer = '/sys/fs/cgroup/freezer';

const hasFreezer = existsSync(freezer) && process.getuid?.() === 0;

test.skipIf(!hasFreezer)('what the daemon left in a paused container is ended, too', async () => {
  const daemon = await launched();
  const group = path.join(freezer, path.basename(daemon.directory));
  mkdirSync(group);
  onTestFinished(() => rmdirSync(group));
  // By its command line it belongs to the daemon.
  const left = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1_000)', path.join(daemon.directory, 'one')]);
  const ended = once(left, 'exit');
  writeFileSync(path.join(group, 'cgroup.procs'), String(left.pid));
  writeFileSync(path.join(group, 'freezer.state'), 'FROZEN');
  await daemon.stop();
  expect(await ended).toEqual([null, 'SIGKILL']);
});
