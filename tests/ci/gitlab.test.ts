import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { engineConformance } from '../cli/command.ts';
import { plainEnvironment } from '../package/npm.ts';
import { servedEngine } from './served-engine.ts';
import { installed, newWorkspace, repository } from './workspace.ts';

const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
const pipeline = readFileSync(path.join(repository, 'ci/gitlab.yml'), 'utf8');
const runner = path.join(repository, 'node_modules/.bin/gitlab-ci-local');
/** Several commands one after another, on a machine that may be busy. */
const timeout = 120_000;

/** Runs gitlab-ci-local on a project that has nothing but the pipeline. */
function gitlab(workspace: string, file: string, ...args: readonly string[]): Promise<{ status: number; log: string }> {
  const git = (...command: string[]) => execFileSync('git', command, { cwd: workspace, stdio: 'ignore' });
  writeFileSync(path.join(workspace, '.gitlab-ci.yml'), file);
  git('init');
  git('add', '.gitlab-ci.yml');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--message=pipeline');
  const env = { ...plainEnvironment(), NO_COLOR: '1', GCL_HOME: workspace };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [runner, ...args], { cwd: workspace, env }, (_, stdout, stderr) => {
      resolve({ status: child.exitCode ?? -1, log: stdout + stderr });
    });
  });
}

/** The pipeline with something else in it, which is there exactly once. */
function changed(file: string, from: string | RegExp, to: string): string {
  expect(file.split(from), `'${from}' in ci/gitlab.yml`).toHaveLength(2);
  return file.replace(from, to);
}

test('is a pipeline that GitLab takes, of this version, with the same engines in both jobs', { timeout }, async () => {
  const { status, log } = await gitlab(newWorkspace(), pipeline, '--list-json');
  expect(status, log).toBe(0);
  const engines = /ENGINES: (.*)/.exec(pipeline)?.[1]?.split(' ') ?? [];
  const jobs = [...log.matchAll(/"name": "(.*)"/g)].map(([, name]) => name);
  const judging = engines.flatMap((engine) => ['1', '2'].map((part) => `judge: [${engine},${part}]`));
  expect(jobs).toEqual([...judging, 'compare']);
  expect(pipeline).toContain(`ENGINE_CONFORMANCE: ./engine-conformance-${version}.tgz\n`);
  const wrong = await gitlab(newWorkspace(), changed(pipeline, 'allow_failure', 'allow_failures'), '--list-json');
  expect(wrong.status).not.toBe(0);
  expect(wrong.log).toContain("'allow_failures' property is not expected");
});

/** gitlab-ci-local copies the files of jobs with it. */
const hasRsync = (process.env.PATH ?? '').split(path.delimiter).some((one) => readable(one).includes('rsync'));

test.skipIf(!hasRsync)('judges, merges and compares (skipped without rsync)', { timeout }, async () => {
  const engine = await servedEngine();
  onTestFinished(() => engine.close());
  // There is no container engine here to run services, and few rules take less time than all.
  let file = changed(pipeline, / {2}services:\n(?: {4,}.*\n)+/, '');
  file = changed(file, 'tcp://engine:2375', engine.address);
  file = changed(file, /\.\/engine-conformance-.*\.tgz/, installed);
  file = changed(file, ' run --target', " run --only 'system.ping.*' --target");
  file = changed(file, 'ENGINE: [20.10.24, 23.0.6, 24.0.9]', 'ENGINE: [20.10.24, 24.0.9]');
  file = changed(file, 'ENGINES: 20.10.24 23.0.6 24.0.9', 'ENGINES: 20.10.24 24.0.9');
  const workspace = newWorkspace();
  const options = ['--force-shell-executor', '--shell-isolation', '--concurrency=2'];
  const { status, log } = await gitlab(workspace, file, ...options);
  expect(status, log).toBe(0);
  expect(log).toContain('**No regression.**');
  // Artifacts come back to the project.
  expect(readdirSync(path.join(workspace, 'parts')).toSorted()).toEqual([
    ...['20.10.24-1', '20.10.24-2', '24.0.9-1', '24.0.9-2'],
  ]);
  expect(readdirSync(path.join(workspace, 'site'))).toContain('index.html');
  for (const release of ['20.10.24', '24.0.9']) {
    expect((await engineConformance(['verify', path.join(workspace, 'reports', release)])).status).toBe(0);
  }
});

function readable(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
