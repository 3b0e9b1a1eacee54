import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workplace } from '../workplace.ts';
import { engineConformance } from './command.ts';
import { validReport } from './report.ts';
import { smallEngine } from './small-engine.ts';

const pings = ['--only', 'system.ping.*'];

test('a report tells of its run and is verified', { timeout: 60_000 }, async () => {
  const { address } = await smallEngine();
  const chosen = ['--timeout', '7', '--seed', '5'];
  await engineConformance(['run', '--target', address, ...pings, ...chosen, '--report', 'told']);
  const file = path.join(workplace, 'told', 'report.json');
  const { options, catalogue, footer, seed } = validReport('told');
  expect({ options, seed }).toEqual({
    options: { only: ['system.ping.*'], concurrency: 8, timeoutMs: 7000, failOn: 'must' },
    seed: 5,
  });

  const { status, stdout } = await engineConformance(['verify', 'told']);
  expect(stdout).toContain('told/report.json is complete and unedited.\n');
  expect(stdout).toContain(`catalogue: ${catalogue.rules} rules, ${catalogue.digest}, the same as in this kit\n`);
  expect(stdout).toContain(footer.digest);
  expect(status).toBe(0);

  writeFileSync(file, readFileSync(file, 'utf8').replace('"verdict":"pass"', '"verdict":"skip"'));
  const edited = await engineConformance(['verify', file]);
  expect(edited.stdout).toMatch(/^\S*report\.json: its summary does not match its results\n$/);
  expect(edited.status).toBe(1);

  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.slice(0, whole.indexOf('"results"') + 4));
  const cut = await engineConformance(['verify', 'told/report.json']);
  expect(cut.stdout).toMatch(/^told\/report\.json is not intact: it was cut off \(/);
  expect(cut.status).toBe(1);
});

test('what is no report is wrong usage', async () => {
  writeFileSync(path.join(workplace, 'junit.xml'), '<testsuites/>');
  for (const name of ['junit.xml', 'no-such-file', '.']) {
    const { status, stderr } = await engineConformance(['verify', name]);
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(status).toBe(2);
  }
});
