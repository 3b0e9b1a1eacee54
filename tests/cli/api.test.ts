import { expect, onTestFinished, test } from 'vitest';
import { startReferenceEngine } from '../../reference/index.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { newSocketPath } from '../harness/servers.ts';
import { engineConformance } from './command.ts';
import { validReport } from './report.ts';

const ofPing = ['--only', 'system.ping.body-OK'] as const;

/** A reference engine that serves some versions, until the test ends. */
async function serving(...serves: readonly ApiVersion[]): Promise<string> {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath }, serves });
  onTestFinished(() => engine.close());
  return `unix://${socketPath}`;
}

let runs = 0;

/** The versions that a run judges, and its exit status. */
async function judged(target: string, ...options: readonly string[]) {
  runs++;
  const directory = `report-${runs}`;
  const args = ['run', '--target', target, ...ofPing, '--report', directory, '--quiet', ...options];
  const { status, stderr } = await engineConformance(args);
  expect(stderr).toBe('');
  const { results } = validReport(directory);
  return { status, verdicts: results.map(({ api, verdict }) => `${api} ${verdict}`) };
}

test.each([
  ['newest', ['1.25 pass']],
  ['served', ['1.23 pass', '1.24 pass', '1.25 pass']],
  ['1.25', ['1.25 pass']],
  ['1.24,1.50', ['1.24 pass', '1.50 skip']],
])('--api %s', async (versions, verdicts) => {
  const target = await serving('1.23', '1.24', '1.25');
  expect(await judged(target, '--api', versions)).toMatchObject({ verdicts });
});

test('without --api the documented versions that the target serves', async () => {
  expect(await judged(await serving('1.23', '1.24', '1.45'))).toEqual({ status: 0, verdicts: ['1.23 pass'] });
});

test('without --api the newest version where the target serves carried ones only', async () => {
  expect(await judged(await serving('1.40', '1.41'))).toEqual({ status: 0, verdicts: ['1.41 pass'] });
});

test.each([
  ['1.21,1.23,1.25', ['1.23 pass']],
  // The newest documented version is not served.
  ['1.20,1.21,1.23', ['1.21 pass']],
  ['1.24,1.25', ['1.24 pass']],
  ['1.50', ['1.50 skip']],
])('--once judges a rule in one version of %s', async (versions, verdicts) => {
  const serves =
    versions === '1.20,1.21,1.23' ? (['1.20', '1.21'] as const) : (['1.21', '1.23', '1.24', '1.25'] as const);
  expect(await judged(await serving(...serves), '--api', versions, '--once')).toMatchObject({ verdicts });
});

test('doctor says which versions would be judged, and why', async () => {
  const { stdout } = await engineConformance(['doctor', '--target', await serving('1.40', '1.41')]);
  expect(stdout).toContain(
    'the target serves no documented version; this is the newest it serves that the contract knows',
  );
});
