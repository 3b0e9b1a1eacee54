import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Token } from 'marked';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainEnvironment } from '../package/npm.ts';
import { pages } from './pages.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const stepsMs = 600_000;

const byHand = ['specs/containers/stop.ts', 'suites/containers/stop.ts'];
const generated = ['docs/engines.md', 'docs/rules.md', 'tests/specs/rule-ids.txt'];
/**
 * Formatter and linter read the whole project, which a stage of CI has them do; here they read what the steps change. So do the tests:
 * the others of `tests/suites`, which run checks that were there before, run beside this one.
 */
const smaller: Readonly<Record<string, string>> = {
  [testsOf('tests/suites')]: testsOf('suites/checks suites/areas suites/support'),
  'npm run format': `npx biome check --write --vcs-enabled=false ${byHand.join(' ')}`,
  'npm run lint': `npx biome ci --vcs-enabled=false ${byHand.join(' ')}`,
};

describe('the steps of CONTRIBUTING', () => {
  // Both are taken in one copy, as each has to build it.
  const steps = [
    ...tokensUnder('CONTRIBUTING.md', 'To add a reporter'),
    ...tokensUnder('CONTRIBUTING.md', 'To add a rule'),
  ];
  let copy: string;
  let files: readonly string[];
  const outputs = new Map<string, string>();

  beforeAll(async () => {
    copy = mkdtempSync(path.join(tmpdir(), 'engine-conformance-contributing-'));
    files = await filesOfRepository();
    for (const file of files) cpSync(path.join(root, file), path.join(copy, file));
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    for (const text of blocks(steps, 'ts')) apply(text, copy);
    const commands = blocks(steps, 'sh').flatMap((text) => text.split('\n'));
    for (const command of ['npm run generate', ...commands.filter((one) => one !== 'npm run generate')]) {
      outputs.set(command, await output(smaller[command] ?? command, copy));
    }
  }, stepsMs);

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test('change the files that they name, and generate the others', () => {
    const changed = files.filter((file) => readFileSync(path.join(copy, file), 'utf8') !== textOf(file));
    const ofReporter = ['cli/reporters.ts', 'cli/config.schema.json'];
    expect(changed.toSorted()).toEqual([...byHand, ...generated, ...ofReporter].toSorted());
  });

  test('give a reporter that writes what it says', () => {
    const tap = readFileSync(path.join(copy, 'verdicts.tap'), 'utf8').trimEnd().split('\n');
    expect(tap.slice(0, 3)).toEqual(['TAP version 14', '1..3', 'ok 1 - system.ping.body-OK 1.20']);
    expect(textOf('cli/config.schema.json', copy)).toContain('"tap": { "description": "File for the verdicts in');
  });

  test('end as they say', () => {
    const ends = [...outputs.values()].join('\n');
    expect(ends).toMatch(/^Conforms: every rule that was decided is kept\./m);
    expect(ends).toContain('proven 1 of 1 rules (100 %)');
    expect(ends).toMatch(/^sound under [1-9]\d* latitudes: 0 false alarms$/m);
    expect([...outputs.keys()]).toEqual(expect.arrayContaining(Object.keys(smaller)));
  });
});

/** The command that runs the tests of the catalogue, of the pages, and of the suites. */
function testsOf(suites: string): string {
  return `npx vitest run specs/catalogue specs/coverage specs/permanence ${suites} docs/docs`;
}

/** What stands under a heading of a page, up to the next of the second level. */
function tokensUnder(file: string, heading: string): readonly Token[] {
  const tokens = pages.find((page) => page.file === file)?.tokens ?? [];
  const from = tokens.findIndex((token) => token.type === 'heading' && token.text === heading);
  const end = tokens.slice(from + 1).findIndex((token) => token.type === 'heading' && token.depth <= 2);
  return tokens.slice(from, from + 1 + end);
}

/** The texts of the blocks of code in a language. */
function blocks(tokens: readonly Token[], language: string): string[] {
  return tokens.flatMap((token) => (token.type === 'code' && token.lang === language ? [String(token.text)] : []));
}

/** Puts a block of code into the file, and at the place, that its first line names. */
function apply(text: string, directory: string): void {
  const [, file, place, code] = /^\/\/ (\S+), (.*)\n([\s\S]*)$/.exec(text) ?? [];
  if (file === undefined || code === undefined) throw new Error(`no file is named for: ${text}`);
  const at = path.join(directory, file);
  const before = place === 'a new file' ? '' : readFileSync(at, 'utf8');
  writeFileSync(at, withCode(before, code, place));
}

function withCode(before: string, code: string, place: string | undefined): string {
  if (place === 'a new file') return `${code}\n`;
  if (place === 'after the other rows') return before.replace(/^\} as const satisfies /m, `${code}\n$&`);
  if (place === 'at the end') return `${before}\n${code}\n`;
  if (place === 'with the other imports') return `${code}\n${before}`;
  if (place === 'after the other rules') return before.replace(/^ {2}\},\n\);\n$/m, `${code}\n$&`);
  throw new Error(`no place is known as: ${place}`);
}

async function output(command: string, directory: string): Promise<string> {
  const environment = { ...plainEnvironment(), NO_COLOR: '1' };
  const { stdout } = await run('sh', ['-c', command], { cwd: directory, env: environment });
  return stdout;
}

/** As git has them, and those that it does not ignore. */
async function filesOfRepository(): Promise<string[]> {
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  return stdout.split('\n').filter((file) => file !== '' && existsSync(path.join(root, file)));
}

function textOf(file: string, directory = root): string {
  return readFileSync(path.join(directory, file), 'utf8');
}
