import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workplace } from '../workplace.ts';
import { engineConformance } from './command.ts';
import { pairsOf, validReport } from './report.ts';
import { rightPing, smallEngine, wrongPing } from './small-engine.ts';

/** Several commands one after another, on a machine that may be busy. */
const timeout = 120_000;

const pings = ['--only', 'system.ping.*'];

test('shards judge every rule once, and merge to one report with its exit status', { timeout }, async () => {
  const { address } = await smallEngine(wrongPing);
  const run = (report: string, ...more: string[]) =>
    engineConformance(['run', '--target', address, ...pings, '--report', report, ...more]);
  const statuses = [
    await run('whole'),
    await run('shard-1', '--shard', '1/3'),
    await run('shard-2', '--shard', '2/3'),
    await run('shard-3', '--shard', '3/3'),
  ].map(({ status }) => status);
  const parts = ['shard-1', 'shard-2', 'shard-3'].map(validReport);
  expect(parts.flatMap(pairsOf).toSorted()).toEqual(pairsOf(validReport('whole')));
  expect(parts.map((part) => pairsOf(part).length)).toEqual([6, 3, 3]);

  const args = ['merge', 'shard-2', 'shard-1', 'shard-3', '--report', 'merged', '--quiet'];
  const { status, stdout, stderr } = await engineConformance(args);
  expect({ status, stderr }).toEqual({ status: statuses[0], stderr: '' });
  expect(stdout).toMatch(
    /^✗ fail system\.ping\.body-OK \[1\.20, 1\.21, 1\.23\]\n3 deviations from the contract\. [\d.]+ s\.\nReports: .*merged\n$/,
  );
  const verdictsOf = (report: string) =>
    validReport(report).results.map(({ rule, api, verdict, expected, actual }) => ({
      rule,
      api,
      verdict,
      expected,
      actual,
    }));
  expect(verdictsOf('merged')).toEqual(verdictsOf('whole'));
  expect((await engineConformance(['verify', 'merged'])).status).toBe(0);

  const missing = await engineConformance(['merge', 'shard-1', 'shard-3', '--report', 'not-written']);
  expect(missing.stderr).toBe('error: the reports of these shards are missing: 2/3\n');
  expect(missing.status).toBe(2);
});

test('what failed is judged again, into the same directory', { timeout }, async () => {
  // It is wrong in one version, and then mended.
  let right = false;
  const { address } = await smallEngine((answer, _, api) => (right || api !== '1.21' ? rightPing : wrongPing)(answer));
  const run = (...more: string[]) => engineConformance(['run', '--target', address, ...more, '--report', 'again']);
  expect((await run(...pings)).status).toBe(1);
  expect((await run('--rerun-failed', 'again')).status).toBe(1);
  expect(pairsOf(validReport('again'))).toEqual(['system.ping.body-OK 1.21']);
  right = true;
  expect((await run('--rerun-failed', 'again/report.json')).status).toBe(0);
  const { status, stderr } = await run('--rerun-failed', 'again');
  expect(stderr).toBe('nothing failed in again: there is nothing to judge again\n');
  expect(status).toBe(0);
});

test.each([
  [['--shard', '4/3'], 'It must name one part of several, such as 2/3.'],
  [['--shard', '0/3'], 'It must name one part of several'],
  [['--shard', '9/9'], '--shard 9/9 has no rules: only 4 rules are chosen'],
  [['--rerun-failed', 'nowhere.json'], 'cannot read nowhere.json'],
  [['--rerun-failed', 'no-report.json'], 'no-report.json has format 9'],
])('%j is wrong usage', async (flags, says) => {
  writeFileSync(path.join(workplace, 'no-report.json'), '{ "format": 9 }');
  const { status, stderr } = await engineConformance(['run', ...pings, ...flags]);
  expect(stderr).toContain(says);
  expect(stderr).toMatch(/^error: .*\n$/);
  expect(status).toBe(2);
});
