import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { workplace } from '../workplace.ts';
import { engineConformance } from './command.ts';
import { rightPing, smallEngine, wrongPing } from './small-engine.ts';

beforeAll(async () => {
  for (const [report, ping] of [
    ['kept', rightPing],
    ['deviates', wrongPing],
  ] as const) {
    const { address, close } = await smallEngine(ping);
    await engineConformance(['run', '--target', address, '--only', 'system.ping.*', '--report', report]);
    close();
  }
});

test('a step back: what changed, files, a site, status 1', async () => {
  const args = ['compare', 'kept', 'deviates/report.json', '--out', 'compared', '--site', 'site'];
  const { status, stdout, stderr } = await engineConformance(args);
  expect(stderr).toBe('');
  expect(stdout).toContain('**3 regressions: 3 newly failing.**');
  expect(stdout).toContain('- `system.ping.body-OK` in 1.20, 1.21, 1.23 **(regression)**');
  expect(status).toBe(1);
  const read = (file: string) => readFileSync(path.join(workplace, file), 'utf8');
  expect(read('compared/comparison.md')).toBe(stdout);
  expect(JSON.parse(read('compared/comparison.json'))).toMatchObject({ format: 1, regressions: 3 });
  expect(read('compared/comparison.html')).toContain('Conformance comparison');
  expect(existsSync(path.join(workplace, 'site', 'index.html'))).toBe(true);
  // A folder stands for the reports inside it, and those of a site are compressed.
  const again = await engineConformance(['compare', 'site/reports', '--format', 'json']);
  expect(JSON.parse(again.stdout).reports).toHaveLength(2);
});

test('a step forward: status 0; as data when that is asked for; names of the user', async () => {
  const { status, stdout } = await engineConformance(['compare', 'old=deviates', 'new=kept', '--format', 'json']);
  expect(status).toBe(0);
  const { regressions, reports, steps } = JSON.parse(stdout);
  expect(regressions).toBe(0);
  expect(reports.map(({ name }: { name: string }) => name)).toEqual(['old', 'new']);
  expect(steps[0].changes.map(({ kind }: { kind: string }) => kind)).toEqual(['mended', 'mended', 'mended']);
});

test('reports that share no rule: inconclusive, status 4', async () => {
  const { address, close } = await smallEngine(rightPing);
  await engineConformance(['run', '--target', address, '--only', 'system.version.*', '--report', 'versions']);
  close();
  const { status, stdout } = await engineConformance(['compare', 'kept', 'versions']);
  expect(stdout).toContain('**Inconclusive: the reports decided no rule in the same API version.**');
  expect(stdout).toMatch(/### Not in the later report\n\n`system\.ping\./);
  expect(status).toBe(4);
});

test('one report, one twice, one that was edited: one line, status 2', { timeout: 60_000 }, async () => {
  const file = path.join(workplace, 'edited.json');
  writeFileSync(file, readFileSync(path.join(workplace, 'kept', 'report.json'), 'utf8').replace('"OK"', '"KO"'));
  for (const [args, says] of [
    [['kept'], 'compare needs at least two reports'],
    [['kept', 'kept/report.json'], 'is given twice'],
    [['kept', 'edited.json'], 'it was edited'],
    [['kept', 'nowhere.json'], 'cannot read nowhere.json'],
  ] as const) {
    const { status, stderr, stdout } = await engineConformance(['compare', ...args]);
    expect(stderr).toContain(says);
    expect(stderr).toMatch(/^error: .*\n$/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  }
});
