import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { documentedVersions } from '../../specs/versions.ts';
import { engineConformance, start } from '../cli/command.ts';
import type { Ended } from '../launcher.ts';
import { workplace } from '../workplace.ts';
import { type Authority, makeAuthority } from './certificates.ts';

/** Rules that need plain answers, streams, hijacked connections in both directions with a half-close, and websockets. */
const sample = [
  'system.ping.*',
  'system.version.answers-200',
  'containers.logs.follow*',
  'containers.attach.stream-stdin',
  'containers.attach.half-close',
  'containers.attach.stream.upgrade-answers-101',
  'containers.attach-ws.handshake',
  'containers.export.*',
  'exec.start.*',
];

const only = sample.flatMap((pattern) => ['--only', pattern]);

let ours: Authority;
let theirs: Authority;

beforeAll(async () => {
  ours = await makeAuthority(workplace, 'ours');
  theirs = await makeAuthority(workplace, 'theirs');
});

/** Serves the reference engine by its own command until the test ends. @returns the address that it tells */
async function serve(...args: readonly string[]): Promise<string> {
  const { child, ended } = start(['serve', ...args]);
  onTestFinished(async () => {
    child.kill('SIGINT');
    await ended;
  });
  let said = '';
  child.stdout?.on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 15_000 }).toContain('listens on ');
  return / listens on (\S+);/.exec(said)?.[1] ?? '';
}

const engineTls = () => ['--tls-cert', ours.engine.cert, '--tls-key', ours.engine.key];
const asClient = ({ client }: Authority) => ['--tls-cert', client.cert, '--tls-key', client.key];

let runs = 0;

async function judge(target: string, ...args: readonly string[]): Promise<Ended & { report: Report | undefined }> {
  const directory = path.join(workplace, `report-${++runs}`);
  const ended = await engineConformance(['run', '--target', target, '--report', directory, ...args]);
  const file = path.join(directory, 'report.json');
  return { ...ended, report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined };
}

interface Report {
  readonly results: readonly { rule: string; api: string; verdict: string; reason: string }[];
  readonly target: { readonly serves: readonly string[]; readonly apiVersion: string };
}

/** The rules by verdict, without those that nothing decides. */
function verdicts(report: Report | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of report?.results ?? []) counts[verdict] = (counts[verdict] ?? 0) + 1;
  const { untested: _, ...decided } = counts;
  return decided;
}

describe('every way to an engine', { timeout: 120_000 }, () => {
  test('gives the same verdicts: a unix socket, TCP, and TLS with and without certificates of clients', async () => {
    const socket = await serve('--listen', `unix://${path.join(workplace, 'engine.sock')}`);
    const overSocket = await judge(socket, ...only);
    expect(overSocket.status, overSocket.stdout).toBe(0);
    expect(verdicts(overSocket.report).pass).toBeGreaterThan(50);

    const tcp = await serve('--listen', 'tcp://127.0.0.1:0');
    const tls = await serve('--listen', 'tcp://127.0.0.1:0', ...engineTls());
    const mutual = await serve('--listen', 'https://127.0.0.1:0', ...engineTls(), '--tls-ca', ours.ca);
    const ways = [
      [tcp],
      [tcp.replace('tcp:', 'http:')],
      [tls, '--tls-ca', ours.ca],
      [tls.replace('tcp:', 'https:').replace('127.0.0.1', 'localhost'), '--tls-ca', ours.ca],
      [mutual, '--tls-ca', ours.ca, ...asClient(ours)],
    ];
    for (const [target = '', ...args] of ways) {
      const { status, report, stdout } = await judge(target, ...args, ...only);
      expect(status, `${target}\n${stdout}`).toBe(0);
      expect(verdicts(report), target).toEqual(verdicts(overSocket.report));
    }
  });

  test('that TLS keeps closed is told of in one line, status 3', async () => {
    const target = await serve('--listen', 'tcp://127.0.0.1:0', ...engineTls(), '--tls-ca', ours.ca);
    const ways = [
      ['no certificate', '--tls-ca', ours.ca],
      ['a certificate that another CA signed', '--tls-ca', ours.ca, ...asClient(theirs)],
      ['an engine that another CA vouches for', '--tls-ca', theirs.ca, ...asClient(ours)],
      ['no TLS'],
    ];
    for (const [what = '', ...args] of ways) {
      const { status, stderr } = await judge(target, ...args, '--only', 'system.ping.*');
      expect(status, `${what}: ${stderr}`).toBe(3);
      expect(stderr, what).toMatch(/^error: tcp:\/\/127\.0\.0\.1:\d+ gave no answer.*\n$/);
    }
    const { status } = await judge(target, '--tls-ca', ours.ca, ...asClient(ours), '--only', 'system.ping.*');
    expect(status).toBe(0);
  });
});

describe('an engine that serves only some of the versions', { timeout: 60_000 }, () => {
  test.each([
    ['1.20', '1.20'],
    ['1.20,1.21', '1.21'],
    ['1.23', '1.23'],
  ])('%s is judged on those, and says so', async (served, newest) => {
    const target = await serve('--listen', `unix://${path.join(workplace, `only-${served}.sock`)}`, '--api', served);
    const rules = ['--only', 'versioning.*', '--only', 'system.version.*'];
    const plain = await judge(target, ...rules);
    expect([...new Set(plain.report?.results.map(({ api }) => api))]).toEqual(served.split(','));
    const { status, report, stdout } = await judge(target, '--api', documentedVersions.join(','), ...rules);
    expect(status, stdout).toBe(0);
    expect(report?.target).toMatchObject({ serves: served.split(','), apiVersion: newest });
    const others = documentedVersions.filter((api) => !served.split(',').includes(api));
    for (const api of others) {
      const own = report?.results.filter((result) => result.api === api) ?? [];
      expect(own.length).toBeGreaterThan(5);
      for (const { verdict, reason } of own.filter((result) => result.verdict !== 'untested')) {
        expect([verdict, reason]).toEqual(['skip', `the target does not serve API version ${api}`]);
      }
    }
    for (const api of served.split(',')) {
      const refused = report?.results.find((one) => one.rule === 'versioning.newer-client-400' && one.api === api);
      if (api !== '1.20') expect(refused?.verdict).toBe('pass');
    }
    const asked = await judge(target, '--api', others[0] ?? '', '--only', 'system.ping.*');
    expect(asked.status).toBe(4);
  });
});

describe('the origins that browsers may call from', { timeout: 60_000 }, () => {
  const ofCors = ['--only', 'service.cors*'];

  test.each([
    ['http://client.test', 'cors-origin', 'cors-other-origin'],
    ['*', 'cors-all-origins'],
  ])('%s is judged when the daemon was started with it', async (origin, ...judged) => {
    const target = await serve('--listen', 'tcp://127.0.0.1:0', '--cors-origin', origin);
    const { status, report } = await judge(target, '--cors-origin', origin, ...ofCors);
    expect(status).toBe(0);
    const passed = report?.results.filter(({ verdict }) => verdict === 'pass').map(({ rule }) => rule);
    expect(new Set(passed)).toEqual(new Set(judged.map((name) => `service.${name}`)));
    const untold = await judge(target, ...ofCors);
    expect([untold.status, verdicts(untold.report).fail]).toEqual([1, 3]);
  });

  test('a daemon that was started with another one, or none, fails', async () => {
    const target = await serve('--listen', 'tcp://127.0.0.1:0', '--cors-origin', 'http://other.test');
    expect((await judge(target, '--cors-origin', 'http://client.test', ...ofCors)).status).toBe(1);
    expect((await judge(target, '--cors-origin', '*', ...ofCors)).status).toBe(1);
    const without = await serve('--listen', 'tcp://127.0.0.1:0');
    expect((await judge(without, '--cors-origin', '*', ...ofCors)).status).toBe(1);
    expect((await judge(without, '--cors-origin', '', ...ofCors)).status).toBe(0);
  });
});

test.each([
  [['--listen', 'unix:///tmp/x.sock', '--tls-cert', 'CERT', '--tls-key', 'KEY'], 'cannot be served over TLS'],
  [['--listen', 'https://127.0.0.1:0'], 'give both --tls-cert and --tls-key'],
  [['--listen', 'tcp://127.0.0.1:0', '--tls-cert', 'CERT'], 'give both --tls-cert and --tls-key'],
  [['--listen', 'tcp://127.0.0.1:0', '--tls-cert', '/nowhere.pem', '--tls-key', 'KEY'], 'cannot read /nowhere.pem'],
])('serve %j is wrong usage', async (args, says) => {
  const files: Record<string, string> = { CERT: ours.engine.cert, KEY: ours.engine.key };
  const { status, stderr } = await engineConformance(['serve', ...args.map((arg) => files[arg] ?? arg)]);
  expect(stderr).toContain(says);
  expect(status).toBe(2);
});
