import { describe, expect, test } from 'vitest';
import { lateEngine, muteEngine } from './daemons.ts';
import { judged } from './judged.ts';

describe('a daemon that', () => {
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
    const cut = results.filter(({ reason }) =>
      /cut to (?:2 s after 3|0\.5 s after 8|0\.1 s after 40) time-outs/.test(reason),
    );
    const whole = results.filter(({ reason }) => /(?:waited|within) 15000 ms/.test(reason));
    expect(cut.length).toBeGreaterThan(12);
    // Those that were sent before the third time-out.
    expect(whole.length).toBeLessThanOrEqual(8);
    expect(results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    expect(passed.filter((rule) => rule.startsWith('system.ping.')).length).toBeGreaterThan(0);
    expect(tookMs).toBeLessThan(((cut.length + whole.length) * 15_000) / 4);
  }, 240_000);
});
