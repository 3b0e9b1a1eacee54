import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the linter says of two files of the suites, each with its text. */
function lint(one: string, other: string): { readonly status: number | null; readonly output: string } {
  const directory = mkdtempSync(path.join(root, 'suites', 'linted-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(path.join(directory, 'one.ts'), one);
  writeFileSync(path.join(directory, 'other.ts'), other);
  const biome = path.join(root, 'node_modules', '.bin', 'biome');
  const { status, stdout, stderr } = spawnSync(biome, ['lint', '--vcs-enabled=false', directory], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** The linter reads the whole project each time. */
const aProjectMs = 180_000;

const one = "import type { Other } from './other.ts';\n\nexport type One = Other | 1;\n";

test(
  'files that import one way pass the linter',
  () => {
    const { status, output } = lint(one, 'export type Other = 2;\n');
    expect(status, output).toBe(0);
  },
  aProjectMs,
);

test(
  'files that import each other do not, even where it is only types',
  () => {
    const { status, output } = lint(one, "import type { One } from './one.ts';\n\nexport type Other = One[];\n");
    expect(output).toContain('noImportCycles');
    expect(status).toBe(1);
  },
  aProjectMs,
);
