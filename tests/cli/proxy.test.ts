import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { proxyTo } from '../harness/proxy.ts';
import { httpServer, newSocketPath } from '../harness/servers.ts';
import { workplace } from '../workplace.ts';
import { engineConformance, type Running, start } from './command.ts';
import { referenceTarget } from './reference-target.ts';

interface Command {
  readonly running: Running;
  readonly socketPath: string;
  readonly report: string;
}

/** The command before a daemon, once it listens. */
async function proxyBefore(upstream: string, more: readonly string[] = []): Promise<Command> {
  const socketPath = newSocketPath();
  const report = path.join(workplace, `report-of-${path.basename(socketPath)}`);
  const listen = `unix://${socketPath}`;
  const running = start(['proxy', '--upstream', upstream, '--listen', listen, '--report', report, ...more]);
  // The socket is there a moment before anybody can connect to it.
  await new Promise<void>((resolve, reject) => {
    for (const stream of [running.child.stdout, running.child.stderr]) {
      stream?.on('data', (text: Buffer | string) => String(text).includes('passing traffic from') && resolve());
    }
    void running.ended.then(({ stderr }) => reject(new Error(`the proxy ended: ${stderr}`)));
  });
  return { running, socketPath, report };
}

function get(socketPath: string, target: string, headers = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = http.get({ socketPath, path: target, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    request.once('error', reject);
  });
}

async function end({ running }: Command, signal: NodeJS.Signals = 'SIGINT') {
  running.child.kill(signal);
  return running.ended;
}

test('judges traffic until Ctrl-C, writes a whole report, and ends with 0 where nothing was violated', async () => {
  const { address } = await referenceTarget();
  const command = await proxyBefore(address.text);
  expect(await get(command.socketPath, '/v1.23/containers/json?colour=red')).toBe(200);
  const { status, stdout, stderr } = await end(command);
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/client \(not stated\) GET \/containers\/json \[1\.23\] sends the parameter colour/);
  expect(stdout).toContain('1 exchange passed on 1 connection.');
  expect(stdout).toMatch(
    /^Clients: no deviation from the contract; 1 thing .*\n {2}\(not stated\) GET \/containers\/json .*\(exchange x1\)\nDaemon: no deviation/m,
  );
  // Versions without traffic have no line.
  expect(stdout).not.toContain('1.20');
  expect(existsSync(command.socketPath)).toBe(false);
  for (const name of ['report.json', 'index.html', 'junit.xml', 'summary.md', 'badge.svg']) {
    expect(existsSync(path.join(command.report, name)), name).toBe(true);
  }
  expect((await engineConformance(['verify', command.report])).status).toBe(0);
});

test('shows a violation while it passes, and ends with 1, or with 0 where the baseline knows it', async () => {
  const { address } = await referenceTarget();
  const deviating = await proxyTo(address, { body: (_, body) => (body === 'OK' ? 'ok' : body) });
  const baseline = path.join(workplace, 'proxy-baseline.yaml');
  const rule = 'system.ping.body-OK';
  // The second entry is of what the traffic does not show.
  const entries = [rule, 'system.ping.text-plain'].map(
    (id) => `- { rule: ${id}, does: answers in small letters, reason: a test }`,
  );
  await writeFile(baseline, `${entries.join('\n')}\n`);
  const plain = await proxyBefore(deviating.text, ['--only', 'system.ping.*']);
  const knowing = await proxyBefore(deviating.text, ['--only', 'system.ping.*', '--baseline', baseline]);
  for (const { socketPath } of [plain, knowing]) expect(await get(socketPath, '/v1.23/_ping')).toBe(200);
  const [one, other] = await Promise.all([end(plain, 'SIGTERM'), end(knowing)]);
  expect(one.status, one.stderr).toBe(1);
  expect(one.stdout).toMatch(/daemon system\.ping\.body-OK \[1\.23\] GET \/_ping: expected .*\(exchange x1\)/);
  expect(other.status, other.stderr).toBe(0);
  expect(other.stdout).toContain(`daemon (known) ${rule}`);
});

test('counts what clients do where it is asked to, and says what it says on standard error beside data', async () => {
  const { address } = await referenceTarget();
  const har = path.join(workplace, 'traffic.har');
  const command = await proxyBefore(address.text, ['--fail-on-client', '--format', 'ndjson', '--har', har]);
  await get(command.socketPath, '/v1.23/containers/json?limit=many', { 'X-Registry-Auth': 'c2VjcmV0' });
  const { status, stdout, stderr } = await end(command);
  expect(status).toBe(1);
  expect(stderr).toContain('client GET /containers/json [1.23] sends limit with a value that is not an integer: many');
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events[0]).toMatchObject({ type: 'run-started', apis: ['1.23'] });
  expect(events.at(-1)).toMatchObject({
    type: 'run-ended',
    traffic: { exchanges: 1, clients: [{ weight: 'deviates' }] },
  });
  expect(await readFile(har, 'utf8')).not.toContain('c2VjcmV0');
  const { log } = JSON.parse(await readFile(har, 'utf8'));
  expect(log.entries.map(({ request }: { request: { url: string } }) => request.url)).toEqual([
    'http://localhost/v1.23/containers/json?limit=many',
  ]);
});

test('the suite has the verdicts through it that it has without, and what it sends and gets has no violation', async () => {
  const { address } = await referenceTarget();
  const command = await proxyBefore(address.text);
  // Hijacked connections, websockets, archives, large bodies, streams that are dropped, and odd requests.
  const only = [
    'containers.attach*',
    'containers.logs.stream.*',
    'containers.archive*',
    'exec.start.*',
    'events.field.*',
  ];
  const chosen = [...only, 'images.load.*'].flatMap((pattern) => ['--only', pattern]);
  const report = path.join(workplace, 'through');
  const through = [...chosen, '--api', '1.23', '--report', report, '--target', `unix://${command.socketPath}`];
  const run = await engineConformance(['run', ...through]);
  expect(run.status, run.stdout).toBe(0);
  const { status, stdout, stderr } = await end(command);
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).not.toContain('no longer judged');
  expect(stdout).not.toMatch(/^\S+ daemon /m);
}, 120_000);

test('ends with 4 when nothing was judged, with 3 when no daemon is there, and with 2 for TLS, which it cannot read', async () => {
  const silent = await httpServer((_, answer) => void answer.end('{}'));
  expect((await end(await proxyBefore(silent.text))).status).toBe(4);
  const nobody = `unix://${newSocketPath()}`;
  const missing = await engineConformance(['proxy', '--upstream', nobody, '--listen', `unix://${newSocketPath()}`]);
  expect(missing.status, missing.stderr).toBe(3);
  expect(missing.stderr).toContain('check --upstream');
  const secure = await engineConformance(['proxy', '--upstream', 'https://x', '--listen', nobody]);
  expect(secure.status, secure.stderr).toBe(2);
});
