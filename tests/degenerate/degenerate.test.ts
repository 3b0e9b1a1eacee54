import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { newestDocumented } from '../../specs/versions.ts';
import { engineConformance, workplace } from '../cli/command.ts';
import { hasReport, validReport } from '../cli/report.ts';
import { degenerate, lateEngine, muteEngine } from './daemons.ts';

interface Judged {
  readonly status: number | null;
  readonly stderr: string;
  readonly tookMs: number;
  readonly results: readonly Result[];
  /** Rules of level must that pass, each once. */
  readonly passed: readonly string[];
}

const table: string[] = [];

afterAll(() => {
  process.stdout.write(`must rules that pass on degenerate daemons\n${table.join('\n')}\n`);
});

async function judged(name: string, address: string, more: readonly string[] = []): Promise<Judged> {
  const report = path.join('degenerate', `${table.length}`);
  mkdirSync(path.join(workplace, 'degenerate'), { recursive: true });
  const started = Date.now();
  const args = ['run', '--target', address, '--report', report, '--seed', '1', '--quiet', ...more];
  const { status, stderr } = await engineConformance(args);
  const tookMs = Date.now() - started;
  const results = hasReport(report) ? validReport(report).results : [];
  const must = results.filter(({ level, verdict }) => level === 'must' && verdict !== 'untested' && verdict !== 'skip');
  const pass = must.filter(({ verdict }) => verdict === 'pass');
  const share = must.length === 0 ? '-' : `${((pass.length / must.length) * 100).toFixed(1)} %`;
  table.push(`${name.padEnd(34)} ${pass.length}/${must.length} ${share}, status ${status}, ${tookMs} ms`);
  return { status, stderr, tookMs, results, passed: [...new Set(pass.map(({ rule }) => rule))].toSorted() };
}

function of(name: string): Promise<string> {
  const start = degenerate[name];
  if (!start) throw new Error(`no such daemon: ${name}`);
  return start();
}

/** The checks are the same in all versions, and so are these daemons; some are judged in all of them nevertheless. */
const inOne = ['--api', newestDocumented];

const few = ['system.*', 'versioning.*', 'containers.list.*'].flatMap((pattern) => ['--only', pattern]);

/** No run waits for ever; how long each takes is printed. */
const endsMs = 300_000;

describe('a daemon that', () => {
  test.each([
    ['hangs', 3],
    ['closes at once', 3],
    ['always answers 400', 2],
    ['always answers 404', 2],
  ])('%s is told of in one line', async (name, status) => {
    const ended = await judged(name, await of(name));
    expect(ended.stderr).toMatch(/^error: .*\n$/);
    expect(ended.status).toBe(status);
    expect(ended.results).toEqual([]);
  });

  test.each([
    ['always answers 403', inOne],
    ['always answers 409', inOne],
    ['always answers 500', []],
    ['always answers 200 {}', []],
    ['echoes the request', inOne],
  ])(
    '%s keeps no rule',
    async (name, versions) => {
      const ended = await judged(name, await of(name), versions);
      expect(ended.passed).toEqual([]);
      expect(ended.results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
      expect(ended.status).toBe(1);
    },
    endsMs,
  );

  // What it says of itself may be right, and so is that it refuses a newer client.
  test.each([
    [400, inOne],
    [403, []],
    [404, inOne],
    [409, inOne],
    [500, inOne],
  ])(
    'refuses all but who it is with %i keeps no other rule',
    async (refusal, versions) => {
      const name = `refuses all but who it is with ${refusal}`;
      const ended = await judged(name, await of(name), versions);
      expect(
        ended.passed.filter((rule) => !/^(?:system\.(?:ping|version|info)|versioning|service)\./.test(rule)),
      ).toEqual([]);
      expect(ended.passed.includes('versioning.newer-client-400')).toBe(refusal === 400);
      expect(ended.results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    },
    endsMs,
  );

  test(
    'answers every version as the oldest fails in the others',
    async () => {
      const name = "answers every version with 1.20's";
      const { results, status } = await judged(name, await of(name), few);
      const failed = (api: string) => results.filter((one) => one.api === api && one.verdict === 'fail');
      expect(status).toBe(1);
      expect(failed('1.20')).toEqual([]);
      expect(failed('1.23').length).toBeGreaterThan(0);
    },
    endsMs,
  );

  test(
    'drops every second connection is not taken for one that keeps the rules',
    async () => {
      const name = 'drops every second connection';
      const { results, status } = await judged(name, await of(name), few);
      expect(status).toBeOneOf([1, 3]);
      expect(results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    },
    endsMs,
  );

  // Few rules and one version, as most take several requests one after another, two seconds each; among them such that
  // go by the clock.
  test('is right but two seconds late keeps every rule', async () => {
    const timed = ['events.until', 'images.build.cancelled-when-dropped'];
    const rules = ['system.ping.*', 'system.version.*', 'versioning.*', ...timed];
    // Requests about images go in turn, so that one check of images is enough.
    const only = [...rules.flatMap((pattern) => ['--only', pattern]), '--skip', 'versioning.same-image'];
    const more = [...only, '--api', '1.23', '--concurrency', '64'];
    const { results, status } = await judged('answers rightly, 2 s late', await lateEngine(2_000), more);
    const other = results.filter(({ verdict }) => !['pass', 'observed', 'untested'].includes(verdict));
    // It has no server errors.
    expect(other.filter(({ rule }) => !rule.endsWith('.server-error-500'))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(10);
    expect(status).toBe(0);
  }, 180_000);

  // A dozen and more of these checks wait for a log; each with its full bound would take minutes.
  test('delivers no stream costs a few bounds, not one for each check', async () => {
    const bound = ['--timeout', '15', '--api', '1.23', '--concurrency', '4'];
    const only = ['--only', 'containers.logs.*', '--only', 'system.ping.*'];
    const { results, passed, tookMs } = await judged('delivers no stream', await muteEngine(), [...only, ...bound]);
    const cut = results.filter(({ reason }) => reason.includes('cut to 2 s after 3 time-outs at this endpoint'));
    const whole = results.filter(({ reason }) => /(?:waited|within) 15000 ms/.test(reason));
    expect(cut.length).toBeGreaterThan(12);
    // Those that were sent before the third time-out.
    expect(whole.length).toBeLessThanOrEqual(8);
    expect(results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    expect(passed.filter((rule) => rule.startsWith('system.ping.')).length).toBeGreaterThan(0);
    expect(tookMs).toBeLessThan(((cut.length + whole.length) * 15_000) / 4);
  }, 240_000);
});
