import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the linter says of files with these texts, by their names, which lie among the suites for a moment. */
export function linted(files: Readonly<Record<string, string>>): {
  readonly status: number | null;
  readonly output: string;
} {
  const directory = mkdtempSync(path.join(root, 'suites', 'linted-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
  const biome = path.join(root, 'node_modules', '.bin', 'biome');
  const { status, stdout, stderr } = spawnSync(biome, ['lint', '--vcs-enabled=false', directory], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}
