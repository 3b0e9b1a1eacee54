import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { npm, plainEnvironment } from './npm.ts';
import { type ReadOnly, readOnly, readOnlyUnavailable } from './read-only.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const installMs = 180_000;
const runMs = 60_000;
/** The registry has Node's programs as packages, one for each platform. */
const newerNode = { name: `node-${process.platform}-${process.arch}`, major: 24 };
/** A run must not heed the configuration of the project it happens to be started in. */
const poison = "throw new Error('this configuration is not for engine-conformance');\n";
const poisoned = ['vite.config.ts', 'vitest.config.ts', 'postcss.config.cjs'];

interface Packed {
  readonly file: string;
  readonly contents: readonly string[];
}

describe('the packed package', () => {
  let root: string;
  let project: string;
  let installed: string;
  let packed: Packed;
  let protection: ReadOnly | undefined;

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'ec package-'));
    project = path.join(root, 'project');
    installed = path.join(project, 'node_modules', 'engine-conformance');
    packed = await pack(root);
    await mkdir(project);
    await writeFile(path.join(project, 'package.json'), '{ "private": true }');
    await npm(project, 'install', packed.file);
    await Promise.all(poisoned.map((name) => writeFile(path.join(project, name), poison)));
    if (readOnlyUnavailable() === undefined) protection = await readOnly(path.join(project, 'node_modules'));
  }, installMs);

  afterAll(async () => {
    await protection?.restore();
    await rm(root, { recursive: true, force: true });
  });

  test('holds the program, the licence and the changelog, and no sources or tests', () => {
    expect(packed.contents).toEqual(
      expect.arrayContaining([
        'dist/cli/main.js',
        ...['report', 'comparison'].flatMap((name) => [
          `dist/reports/${name}.schema.json`,
          `dist/reports/html/client/${name}.js`,
        ]),
      ]),
    );
    const others = packed.contents.filter((file) => !file.startsWith('dist/'));
    expect(others.toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(packed.contents.filter((file) => /(^dist\/tests\/|(?<!\.d)\.ts$)/.test(file))).toEqual([]);
  });

  test('has no fault that publint knows', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  /** Runs the installed command, which finds its installation read-only, with the Node that comes first in `PATH`. */
  async function judgePing(report: string, nodeDirectory?: string): Promise<void> {
    if (!protection) throw new Error('no protection, no run');
    const environment = plainEnvironment();
    if (nodeDirectory) environment.PATH = `${nodeDirectory}${path.delimiter}${environment.PATH}`;
    if (nodeDirectory) {
      const { output } = await protection.run(['node', '--version'], project, environment);
      expect(output).toMatch(new RegExp(`^v${newerNode.major}\\.`));
    }
    const write = ['node', '-e', "require('node:fs').writeFileSync('node_modules/written', '')"];
    expect((await protection.run(write, project, environment)).status, 'writing to the installation').not.toBe(0);

    const command = ['npx', '--no', 'engine-conformance', 'run', '--only', 'system.ping.*', '--report', report];
    const { status, output } = await protection.run(command, project, environment);
    expect(status, output).toBe(0);
    const { end, results } = JSON.parse(await readFile(path.join(project, report, 'report.json'), 'utf8'));
    expect(end).toBe('complete');
    const passes = Object.values<{ verdict: string }>(results).filter(({ verdict }) => verdict === 'pass');
    expect(passes.length).toBeGreaterThan(0);
  }

  test('runs from a read-only installation on this Node', { timeout: runMs }, async ({ skip }) => {
    skip(!protection, readOnlyUnavailable());
    await judgePing('report-of-this-node');
  });

  test('runs from a read-only installation on a newer Node', { timeout: installMs }, async ({ skip }) => {
    skip(!protection, readOnlyUnavailable());
    const directory = path.join(root, 'newer-node');
    await mkdir(directory);
    await writeFile(path.join(directory, 'package.json'), '{ "private": true }');
    const problem = await npm(directory, 'install', `${newerNode.name}@${newerNode.major}`).then(
      () => undefined,
      (error: unknown) => `Node ${newerNode.major} cannot be had from the registry: ${String(error)}`,
    );
    skip(problem !== undefined, problem);
    await judgePing('report-of-newer-node', path.join(directory, 'node_modules', newerNode.name, 'bin'));
  });
});

async function pack(directory: string): Promise<Packed> {
  const answer: unknown = JSON.parse(
    await npm(repository, 'pack', '--ignore-scripts', '--json', `--pack-destination=${directory}`),
  );
  const { filename, files } = Object(Array.isArray(answer) ? answer[0] : undefined);
  if (typeof filename !== 'string' || !Array.isArray(files)) throw new Error('npm pack did not say what it packed');
  return {
    file: path.join(directory, filename),
    contents: files.map((file: unknown) => String(Object(file).path)),
  };
}
