import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { confirmationText } from '../../reports/confirmation.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test.each(readdirSync(new URL('../../baselines', import.meta.url)))('the README names the engine of %s', (file) => {
  const [, version] = /^# Known deviations of \w+ ([\d.]+) /.exec(read(`baselines/${file}`)) ?? [];
  expect(version).toBeDefined();
  expect(read('README.md')).toMatch(new RegExp(`^baselines of .*\\b${version}[ ,]`, 'm'));
});

test('the example of --confirm shows as many rounds as it asks for', () => {
  const page = read('docs/implementers.md');
  const rounds = Number(/--confirm (\d+) --target/.exec(page)?.[1]);
  expect(page).toContain(` ${confirmationText({ outcome: 'deterministic', failed: rounds, rounds })}\n`);
});
