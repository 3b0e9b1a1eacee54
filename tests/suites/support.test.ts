import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { engineConformance } from '../cli/command.ts';

const suites = fileURLToPath(new URL('../../suites/', import.meta.url));
const patience = { timeout: 120_000 };

const modules = readdirSync(suites, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.split(path.sep).join('/'));
const isSupport = (file: string) => file.split('/').includes('support');
/** What the suites are made of besides checks and support: the one test file, lists of modules, and what was measured. */
const others = ['areas.ts', 'entry.ts', 'measured.ts'];
const isOther = (file: string) => others.includes(file) || path.basename(file) === 'index.ts';

test('a module declares checks unless it is in a folder named support', patience, async () => {
  expect(modules.filter(isSupport).length).toBeGreaterThan(60);
  const { stdout } = await engineConformance(['explain', '*', '--format', 'json']);
  const { rules }: { rules: readonly { places: { check?: string } }[] } = JSON.parse(stdout);
  const declaring = rules.flatMap(({ places }) => places.check?.replace(/^suites\/|:\d+$/g, '') ?? []);
  expect([...new Set(declaring)].toSorted()).toEqual(
    modules.filter((file) => !isSupport(file) && !isOther(file)).toSorted(),
  );
});
