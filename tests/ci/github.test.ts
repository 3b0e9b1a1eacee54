import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineConformance } from '../cli/command.ts';
import { referenceTarget } from '../cli/reference-target.ts';
import { smallEngine, wrongPing } from '../cli/small-engine.ts';
import { proxyTo } from '../harness/proxy.ts';
import { compositeAction, type Job, workflowJobs } from './github-files.ts';
import { type JobEnd, type Machine, runJob } from './github-runner.ts';
import { type ServedEngine, servedEngine } from './served-engine.ts';
import { installed, newWorkspace, repository } from './workspace.ts';

const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
const actionFile = readFileSync(path.join(repository, 'action.yml'), 'utf8');
const matrixFile = readFileSync(path.join(repository, 'ci/github-matrix.yml'), 'utf8');
/** Where the documentation and the matrix have the action. */
const action = './.github/actions/engine-conformance';
/** Several commands one after another, on a machine that may be busy. */
const timeout = 120_000;
const pings = 'system.ping.*';

let engine: string;
let served: ServedEngine;
beforeAll(async () => {
  served = await servedEngine();
  engine = served.address;
});
afterAll(() => served?.close());

/** A machine for one job, with the artifacts of a workflow. */
function machine(artifacts: string): Machine {
  mkdirSync(artifacts, { recursive: true });
  return { workspace: newWorkspace(), artifacts, actions: { [action]: repository } };
}

describe('the action', () => {
  /** A job of one step, which uses the action. */
  async function use(
    given: Readonly<Record<string, string>>,
    env: Job['env'] = { ENGINE_CONFORMANCE: installed },
  ): Promise<JobEnd & Pick<Machine, 'workspace' | 'artifacts'>> {
    const on = machine(path.join(newWorkspace(), 'artifacts'));
    const end = await runJob(on, { env, steps: [{ id: 'judge', uses: action, with: given }] });
    return { ...end, workspace: on.workspace, artifacts: on.artifacts };
  }

  test('is one that GitHub takes', () => {
    expect(Object.keys(compositeAction(actionFile).inputs)).toContain('target');
    expect(() => compositeAction(actionFile.replace('using: composite', 'using: nothing'))).toThrow('nothing');
  });

  test('judges a daemon, and leaves a report, an artifact, outputs and a summary', { timeout }, async () => {
    const only = `${pings}\nsystem.version.field.ApiVersion`;
    const end = await use({ target: engine, only, api: '1.21,1.23', report: 'judged', args: '--seed=7\n--quiet' });
    expect(end.log).toMatch(/^Conforms: /m);
    expect(end.failed).toBe(false);
    expect(end.outputs.judge).toEqual({ report: 'judged', status: '0' });
    expect(end.summary).toContain('**Conforms');
    const files = ['badge.svg', 'contract', 'index.html', 'junit.xml', 'report.json', 'summary.md'];
    expect(readdirSync(path.join(end.artifacts, 'conformance-report')).toSorted()).toEqual(files);
    const file = path.join(end.workspace, 'judged');
    expect((await engineConformance(['verify', file])).status).toBe(0);
    const { seed, apis, options } = JSON.parse(readFileSync(path.join(file, 'report.json'), 'utf8'));
    expect({ seed, apis, only: options.only }).toEqual({ seed: 7, apis: ['1.21', '1.23'], only: only.split('\n') });
  });

  test('fails for a deviation, with its artifact; not where deviations are allowed', { timeout }, async () => {
    const { address } = await smallEngine(wrongPing);
    const [strict, loose] = await Promise.all([
      use({ target: address, only: pings }),
      use({ target: address, only: pings, 'allow-deviations': 'true', artifact: '' }),
    ]);
    expect(strict.failed).toBe(true);
    expect(strict.outputs.judge).toMatchObject({ status: '1' });
    expect(strict.log).toContain('::error title=system.ping.body-OK');
    expect(readdirSync(strict.artifacts)).toEqual(['conformance-report']);
    expect(loose.failed).toBe(false);
    expect(loose.outputs.judge).toMatchObject({ status: '1' });
    expect(readdirSync(loose.artifacts)).toEqual([]);
  });

  test('fails for what is no deviation in any case, and takes inputs for no commands', { timeout }, async () => {
    const [unreachable, misspelt, unnamed] = await Promise.all([
      use({ target: 'unix:///nowhere/engine.sock', only: pings, 'allow-deviations': 'true' }),
      use({ target: engine, only: 'no.such.$(touch here).rule', 'allow-deviations': 'true' }),
      use({ target: engine }, {}),
    ]);
    expect(unreachable).toMatchObject({ failed: true, outputs: { judge: { status: '3' } } });
    expect(misspelt).toMatchObject({ failed: true, outputs: { judge: { status: '2' } } });
    expect(unnamed.failed).toBe(true);
    expect(unnamed.log).toContain('::error::Set ENGINE_CONFORMANCE');
    expect(existsSync(path.join(misspelt.workspace, 'here'))).toBe(false);
  });
});

describe('the matrix', () => {
  const address = 'tcp://127.0.0.1:2375';

  /** A job of the file with a daemon of the test in place of the one that GitHub would start, and few rules. */
  function job(name: string, target = ''): Job {
    const few = matrixFile.replace(`target: ${address}`, `target: ${target}\n          only: ${pings}`);
    const found = workflowJobs(few)[name];
    if (!found) throw new Error(`no job ${name}`);
    return { ...found, env: { ...found.env, ENGINE_CONFORMANCE: installed } };
  }

  const engines = (workflowJobs(matrixFile).judge?.strategy?.matrix.engine ?? []).map(String);
  const parts = workflowJobs(matrixFile).judge?.strategy?.matrix.part ?? [];

  test('is one that GitHub takes, of this version, with the same engines in both jobs', () => {
    expect(() => workflowJobs(matrixFile.replace('runs-on', 'runs-no'))).toThrow('runs-no');
    expect(matrixFile).toContain(`target: ${address}`);
    const versions = [...matrixFile.matchAll(/engine-conformance-([\d.]+)\.tgz/g)].map(([, one]) => one);
    expect(new Set(versions)).toEqual(new Set([version]));
    expect(workflowJobs(matrixFile).compare?.env?.ENGINES?.split(' ')).toEqual(engines);
    expect(parts).toEqual([1, 2]);
  });

  /** Runs the last job for some of the engines, which leaves the site. */
  async function compare(artifacts: string, ...releases: readonly string[]): Promise<JobEnd> {
    const on = machine(artifacts);
    const end = await runJob(on, {
      ...job('compare'),
      env: { ENGINES: releases.join(' '), ENGINE_CONFORMANCE: installed },
    });
    for (const release of releases) {
      const { status, stderr } = await engineConformance(['verify', path.join(on.workspace, `reports/${release}`)]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
    const site = path.join(artifacts, 'site');
    expect(readdirSync(path.join(site, 'reports'))).toHaveLength(releases.length);
    expect(existsSync(path.join(site, 'index.html'))).toBe(true);
    rmSync(site, { recursive: true });
    return end;
  }

  test('merges the parts and compares the engines; fails for a regression only', { timeout }, async () => {
    const { address: right } = await referenceTarget();
    const body = (request: IncomingMessage, text: string) => (request.url?.endsWith('/_ping') ? 'KO' : text);
    const broken = await proxyTo(right, { body });
    if (broken.kind !== 'unix') throw new Error('the proxy listens on a socket');
    const artifacts = path.join(newWorkspace(), 'artifacts');
    const [older = '', newer = ''] = engines;
    for (const [release, target] of [
      [older, engine],
      [newer, `unix://${broken.socketPath}`],
    ]) {
      const ends = await Promise.all(
        parts.map((part) => runJob(machine(artifacts), job('judge', target), { matrix: { engine: release, part } })),
      );
      expect(ends.map(({ failed, log }) => (failed ? log : ''))).toEqual(['', '']);
    }
    const worse = await compare(artifacts, older, newer);
    expect(worse.summary).toMatch(/^\*\*9 regressions: 9 newly failing\.\*\*$/m);
    expect(worse.failed).toBe(true);
    // The other way round it still deviates in one of the releases, but there is nothing lost.
    const better = await compare(artifacts, newer, older);
    expect(better.summary).toMatch(/^\*\*No regression: 9 fixed\.\*\*$/m);
    expect(better.failed).toBe(false);
  });
});
