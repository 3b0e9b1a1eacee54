import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { start } from '../cli/command.ts';
import { pairsBelow, pairsOf, validReport } from '../cli/report.ts';
import { rawServer } from '../harness/servers.ts';
import { brokenAnswers } from './misbehaviours.ts';

const right: Readonly<Record<string, string>> = {
  _ping: 'OK',
  version: '{"Version":"1","ApiVersion":"1.23","Os":"linux","Arch":"amd64"}',
  info: '{"EngineRootDir":"/"}',
};

/** Peak memory of a process in bytes, as Linux counts it. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0; // It has ended, or this is no Linux.
  }
}

test('a daemon that breaks its answers in one way after another gets a whole report, in bounded time and memory', async () => {
  const ways = Object.values(brokenAnswers);
  let identified = 0;
  let next = 0;
  const { text: address } = await rawServer((socket, request) => {
    const [, at = ''] = /^GET \/v1\.2\d\/(_ping|version|info) /.exec(request) ?? [];
    const body = right[at];
    // It stays alive, and tells what it is until the checks begin.
    if (body !== undefined && (at === '_ping' || identified++ < 6)) {
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    // What makes the target ready and clean has longer bounds; it is refused.
    if (/^GET \/v1\.2\d\/(version|info|containers\/json(?!\?all=1 ))/.test(request))
      ways[next++ % ways.length]?.(socket);
    else socket.end('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n');
  });
  const only = ['system.', 'versioning.', 'containers.list.'];
  const { child, ended } = start([
    ...['run', '--target', address, '--report', 'hostile', '--quiet', '--timeout', '0.5', '--seed', '1'],
    ...only.flatMap((prefix) => ['--only', `${prefix}*`]),
  ]);
  let peak = 0;
  const looking = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 50);
  const started = Date.now();
  const { status, stderr } = await ended;
  clearInterval(looking);
  const report = validReport('hostile');
  process.stdout.write(`${next} misbehaviours: ${Date.now() - started} ms, ${Math.round(peak / 2 ** 20)} MiB\n`);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(pairsOf(report)).toEqual(pairsBelow(...only));
  expect(report.results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  expect(status).toBe(1);
  expect(next).toBeGreaterThanOrEqual(30);
  expect(Date.now() - started).toBeLessThan(30_000);
  expect(peak).toBeLessThan(700 * 2 ** 20);
}, 60_000);

test('a daemon that answers nothing but who it is does not hold up a run for longer than its --timeout allows', async () => {
  const { text: address } = await rawServer((socket, request) => {
    const [, at = ''] = /^GET \/v1\.2\d\/(_ping|version|info) /.exec(request) ?? [];
    const body = right[at];
    if (body !== undefined) {
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    }
  });
  const started = Date.now();
  const { ended } = start([
    ...['run', '--target', address, '--report', 'silent', '--quiet', '--timeout', '0.5', '--seed', '1'],
    ...['--only', 'system.version.*'],
  ]);
  const { status, stdout } = await ended;
  expect(stdout).toContain('could not be removed from the target');
  expect(pairsOf(validReport('silent'))).toEqual(pairsBelow('system.version.'));
  expect(status).toBeOneOf([0, 1]);
  // The load of the probe, the trial of a registry, and the clean-up have 5 s an exchange.
  expect(Date.now() - started).toBeLessThan(45_000);
}, 90_000);
