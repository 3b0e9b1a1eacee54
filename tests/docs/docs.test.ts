import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { latitudesPage } from '../../cli/latitudes-page.ts';
import { buildProgram } from '../../cli/program.ts';
import { allRules } from '../../specs/catalogue.ts';
import { workflowJobs } from '../ci/github-files.ts';
import { argumentsOfProgram, commandLines, commandsOf, wrongUsage } from './commands.ts';
import { pageWithMatrix } from './engines-matrix.ts';
import { everyToken, type Page, pages } from './pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

describe.each(pages.map((page) => [page.file, page] as const))('%s', (file, page) => {
  test('links to what is there', () => {
    const missing = hrefs(page).filter((href) => !isThere(file, href));
    expect(missing).toEqual([]);
  });

  test('names commands and options that there are', () => {
    const wrong = commandLines(page).flatMap((line) =>
      commandsOf(line).flatMap((command) => {
        // What a page adds to the program by its steps is there after them; contributing.test.ts follows them.
        if (optionsAddedBy(page).some((option) => command.includes(option))) return [];
        const problem = problemOf(command);
        return problem === undefined ? [] : [`${command.join(' ')}: ${problem}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('has YAML that can be read, and workflows that GitHub takes', () => {
    for (const token of page.tokens) {
      if (token.type !== 'code' || token.lang !== 'yaml') continue;
      expect(() => parse(token.text)).not.toThrow();
      if (/^jobs:/m.test(token.text)) expect(() => workflowJobs(token.text)).not.toThrow();
    }
  });
});

// `npm run prove` fails unless every rule that has a check is proven.
test('the kill matrix names rules that there are, and its areas add up', () => {
  // It is measured now and then, so that a new rule need not wait for it; tests/suites hold that each rule has a check.
  const page = readFileSync(path.join(root, 'docs/kill-matrix.md'), 'utf8');
  const ids = new Set(allRules.map(({ id }) => id));
  const named = [...page.matchAll(/`([a-z-]+\.[a-z-]+\.[^` ]+)`/g)].map(([, id = '']) => id);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
  const [, proven, total] = /^Proven: (\d+) of (\d+) rules /m.exec(page) ?? [];
  const areas = [...page.matchAll(/^\| [a-z]+ \| (\d+) \| (\d+) \([\d.]+ %\) \| \d+ \|$/gm)];
  const ofAreas = areas.slice(0, new Set(allRules.map(({ area }) => area)).size);
  const sum = (place: 1 | 2) => ofAreas.reduce((all, area) => all + Number(area[place]), 0);
  expect([sum(2), sum(1)]).toEqual([Number(proven), Number(total)]);
});

test('every command of the program is on a page, and in the README', () => {
  const told = (of: readonly Page[]) =>
    new Set(
      of
        .flatMap(commandLines)
        .flatMap(commandsOf)
        .map((command) => argumentsOfProgram(command)?.[0]),
    );
  const names = buildProgram(() => {}).commands.map((command) => command.name());
  expect(names.filter((name) => !told(pages).has(name))).toEqual([]);
  const readme = told(pages.filter(({ file }) => file === 'README.md'));
  expect(names.filter((name) => !readme.has(name))).toEqual([]);
});

test('a wrong command is found', () => {
  const problems = [
    'run --onyl x',
    'rnu',
    'compare --out x',
    'run --shard 3',
    'verify a b',
    'contract --format pdf',
  ].map((line) => wrongUsage(line.split(' ')));
  expect(problems.filter((problem) => problem === undefined)).toEqual([]);
  expect(wrongUsage(['run', '--target', '…', '--only', 'containers.*', '…'])).toBeUndefined();
});

/** The addresses of links and pictures. */
/** The options that the blocks of code of a page declare. */
function optionsAddedBy({ tokens }: Page): readonly string[] {
  return everyToken(tokens).flatMap((token) =>
    token.type === 'code'
      ? [...String(token.text).matchAll(/option: '(--[\w-]+) /g)].map(([, option = '']) => option)
      : [],
  );
}

function hrefs({ tokens }: Page): string[] {
  return everyToken(tokens).flatMap((token) => (token.type === 'link' || token.type === 'image' ? [token.href] : []));
}

/** What is on other sites is not looked at. A picture is to be small. */
function isThere(from: string, href: string): boolean {
  if (/^https?:/.test(href)) return true;
  const [to = '', anchor] = href.split('#');
  const file = to === '' ? from : path.join(path.dirname(from), to);
  if (!existsSync(path.join(root, file))) return false;
  if (file.endsWith('.png')) return statSync(path.join(root, file)).size < 150_000;
  return anchor === undefined || pages.some((page) => page.file === file && page.anchors.has(anchor));
}

function problemOf(command: readonly string[]): string | undefined {
  const args = argumentsOfProgram(command);
  if (args) return wrongUsage(args);
  const [program = '', first = '', name = ''] = command;
  if (program === 'npm' && ['start', 'test', 'run'].includes(first)) {
    const script = first === 'run' ? name : first;
    return script in scripts ? undefined : 'no such script';
  }
  if (program === 'node' && !first.startsWith('-'))
    return existsSync(path.join(root, first)) ? undefined : 'no such file';
  return undefined;
}

test('docs/latitudes.md lists every latitude with its ground', () => {
  expect(readFileSync(path.join(root, 'docs/latitudes.md'), 'utf8')).toBe(latitudesPage());
});

test('docs/engines.md sets side by side what the baselines say', () => {
  const page = readFileSync(path.join(root, 'docs/engines.md'), 'utf8');
  expect(pageWithMatrix(page)).toBe(page);
});
