import { expect, test } from 'vitest';
import { bailAfter } from '../../cli/bail.ts';
import type { Result, Verdict } from '../../harness/events.ts';
import type { Level } from '../../specs/statement.ts';
import { engineConformance } from './command.ts';
import { validReport } from './report.ts';
import { smallEngine, wrongPing } from './small-engine.ts';

/** Several commands one after another, on a machine that may be busy. */
const timeout = 300_000;
const pings = ['--only', 'system.ping.*', '--concurrency', '1'];

/** After which of these verdicts a run is ended, counted from 1. */
async function endsAfter(limit: number | undefined, failOn: 'must' | 'should', ...verdicts: [Verdict, Level][]) {
  const { handler, signal } = bailAfter(limit, failOn);
  for (const [place, [verdict, level]] of verdicts.entries()) {
    await handler({ type: 'verdict', result: { verdict, level } as Result });
    if (signal.aborted) return place + 1;
  }
  return undefined;
}

test('what counts is what the exit status counts, and faults of the kit', async () => {
  expect(await endsAfter(1, 'must', ['pass', 'must'], ['waived', 'must'], ['skip', 'must'], ['fail', 'must'])).toBe(4);
  expect(await endsAfter(1, 'must', ['fail', 'should'], ['blocked', 'should'], ['blocked', 'must'])).toBe(3);
  expect(await endsAfter(1, 'should', ['fail', 'observe'], ['fail', 'should'])).toBe(2);
  expect(await endsAfter(2, 'must', ['fail', 'must'], ['pass', 'must'], ['error', 'observe'])).toBe(3);
  expect(await endsAfter(undefined, 'should', ['fail', 'must'], ['error', 'must'], ['blocked', 'must'])).toBe(
    undefined,
  );
});

test('a run ends at the first deviation, reports what is known, and ends with 1', { timeout }, async () => {
  const { address } = await smallEngine(wrongPing);
  const run = async (report: string, ...more: string[]) => {
    const args = ['run', '--target', address, ...pings, '--report', report, ...more];
    const { status, stdout } = await engineConformance(args);
    return { status, stdout, report: validReport(report) };
  };
  const whole = await run('no-bail');
  const { status, stdout, report } = await run('bail', '--bail', '--quiet');
  expect(whole.report).toMatchObject({ end: 'complete' });
  expect(report).toMatchObject({
    end: 'interrupted',
    endReason: 'stopped after one failure (--bail)',
    left: [],
    options: { bail: 1 },
  });
  expect(report.results).toHaveLength(whole.report.results.length);
  const failed = report.results.filter(({ verdict }) => verdict === 'fail');
  expect(failed.length).toBeGreaterThan(0);
  expect({ status, of: whole.status }).toEqual({ status: 1, of: 1 });
  expect(stdout).toContain(`✗ fail ${failed[0]?.rule} [`);
  expect(stdout).toMatch(/^■ \d+ verdicts blocked, as the run ended first$/m);
  expect(stdout).not.toContain('■ blocked');
});

test('a run with fewer deviations than that is a whole one', { timeout }, async () => {
  const { address } = await smallEngine(wrongPing);
  const args = ['run', '--target', address, ...pings, '--bail', '50', '--report', 'few'];
  expect((await engineConformance(args)).status).toBe(1);
  expect(validReport('few')).toMatchObject({ end: 'complete', options: { bail: 50 } });
});

test.each([
  [['--bail', '0'], 'whole number from 1'],
  [['--bail', '--baseline', 'x.yaml', '--update-baseline'], '--update-baseline needs a complete run; leave out --bail'],
])('%j is wrong usage', async (flags, says) => {
  const { status, stderr } = await engineConformance(['run', ...pings, ...flags]);
  expect(stderr).toContain(says);
  expect(status).toBe(2);
});
