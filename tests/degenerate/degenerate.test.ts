import { describe, expect, test } from 'vitest';
import { lateEngine, muteEngine } from './daemons.ts';
import { endsMs, inOne, judged, of } from './judged.ts';

const few = ['system.*', 'versioning.*', 'containers.list.*'].flatMap((pattern) => ['--only', pattern]);

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
