import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files by their names. */
export type Texts = Readonly<Record<string, string>>;

/** What the linter said of each case. */
export interface Linted {
  readonly status: number | null;
  /** By case the diagnostics of its files; empty where they pass. */
  readonly said: ReadonlyMap<string, string>;
}

/** What the linter reads besides the files of the cases: its rules, and what these files import. */
const needed = ['biome.json', 'no-unchecked-casts.grit', 'package.json', 'tsconfig.json', 'harness', 'specs'];

/**
 * Lints the files of all cases at once, as the linter reads the whole project each time. They are the suites of a project
 * of its own, as others look at the suites of this one meanwhile; each case has a folder.
 */
export function linted(cases: Readonly<Record<string, Texts>>): Linted {
  const project = mkdtempSync(path.join(tmpdir(), 'engine-conformance-linted-'));
  const directory = path.join(project, 'suites', 'linted');
  try {
    for (const name of needed) cpSync(path.join(root, name), path.join(project, name), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
    mkdirSync(directory, { recursive: true });
    for (const [name, texts] of Object.entries(cases)) {
      mkdirSync(path.join(directory, name));
      for (const [file, text] of Object.entries(texts)) writeFileSync(path.join(directory, name, file), text);
    }
    const biome = path.join(root, 'node_modules', '.bin', 'biome');
    const args = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--diagnostic-level=error', directory];
    const { status, stdout, stderr } = spawnSync(biome, args, { cwd: project, encoding: 'utf8' });
    const checked = Object.values(cases).reduce((sum, texts) => sum + Object.keys(texts).length, 0);
    // Otherwise nothing said would be no sign that a case passes.
    if (!stdout.includes(`Checked ${checked} files`))
      throw new Error(`the linter did not read all: ${stdout}${stderr}`);
    return { status, said: saidOf(stdout + stderr, directory, Object.keys(cases)) };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Each diagnostic begins with a line of the file, the place, the name of the rule, and a line drawn to the end. */
function saidOf(output: string, directory: string, cases: readonly string[]): ReadonlyMap<string, string> {
  const said = new Map(cases.map((name) => [name, '']));
  const folder = path.basename(directory);
  for (const diagnostic of output.split(/^(?=\S+ .*━)/m)) {
    const name = new RegExp(`^\\S*${folder}/([^/]+)/[^\\n]*━`).exec(diagnostic)?.[1];
    if (name !== undefined) said.set(name, `${said.get(name) ?? ''}${diagnostic}`);
  }
  return said;
}
