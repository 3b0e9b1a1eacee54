import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workplace } from '../workplace.ts';
import { DaemonClient } from './client.ts';
import { launch } from './daemon.ts';

/** Answers everything as an empty daemon, and crashes when it is asked for its containers. */
const crashing = `
  require('node:http').createServer(({ url }, answer) => {
    if (url.includes('/containers/')) {
      console.error('a line before\\nfatal error: a mistake of the daemon\\nwhere it was');
      process.exit(2);
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
  await expect(client.json('GET', '/containers/json')).rejects.toThrow();
  await client.close();
  await expect(daemon.stop()).rejects.toThrow(
    'the daemon ended by itself, by exit code 2:\nfatal error: a mistake of the daemon\nwhere it was\n',
  );
});
