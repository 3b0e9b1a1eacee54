import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Result, RunEvent } from '../../harness/events.ts';
import { allureReport } from '../../reports/allure.ts';
import { workplace } from '../workplace.ts';
import { allureCommand } from './allure-command.ts';
import { play, sampleRun } from './sample-run.ts';
import { someRules } from './stored-sample.ts';

/** What these tests read of a test in the data of Allure's report. */
interface AllureTest {
  readonly name: string;
  readonly fullName: string;
  readonly status: string;
  readonly isRetry: boolean;
  readonly retriesCount: number;
  readonly groupedLabels: Record<string, string[]>;
  readonly parameters: { readonly name: string; readonly value: string }[];
  readonly error?: { readonly message: string; readonly expected?: string; readonly actual?: string };
  readonly attachments: { readonly link: { readonly id: string; readonly ext: string } }[];
  readonly breadcrumbs: string[][];
}

const results = join(workplace, 'results');
const report = join(workplace, 'report');

/** The sample run by two engines, whose results lie in one directory. */
const engines = ['Example Engine', 'Another Engine'];

function runOf(product: string): RunEvent[] {
  return sampleRun({ rules: someRules }).map((event): RunEvent => {
    return event.type === 'run-started' ? { ...event, target: { ...event.target, product } } : event;
  });
}

const verdicts = runOf('').flatMap((event) => (event.type === 'verdict' ? [event.result] : []));

describe('results for Allure', () => {
  let problem: string | undefined;
  let tests: AllureTest[] = [];

  beforeAll(async () => {
    for (const engine of engines) await play(runOf(engine), allureReport(results, someRules));
    const allure = await allureCommand();
    if ('missing' in allure) {
      problem = allure.missing;
      return;
    }
    const args = [allure.command, 'awesome', results, '-o', report];
    execFileSync(process.execPath, args, { cwd: workplace, env: { ...process.env, ALLURE_NO_ANALYTICS: '1' } });
    const data = join(report, 'data', 'test-results');
    tests = readdirSync(data).map((name) => JSON.parse(readFileSync(join(data, name), 'utf8')));
  }, 240_000);

  test('are one for each rule, version and engine', () => {
    const files = readdirSync(results).filter((name) => name.endsWith('-result.json'));
    expect(files).toHaveLength(verdicts.length * engines.length);
  });

  test('become a report without retries, in which what is not green is told apart', ({ skip }) => {
    skip(problem !== undefined, problem);
    const statistic = JSON.parse(readFileSync(join(report, 'widgets', 'statistic.json'), 'utf8'));
    const count = (...of: Result['verdict'][]) =>
      verdicts.filter(({ verdict }) => of.includes(verdict)).length * engines.length;
    expect(statistic).toEqual({
      total: count('pass', 'fail', 'blocked', 'error', 'skip', 'observed', 'untested', 'waived'),
      passed: count('pass'),
      failed: count('fail'),
      broken: count('blocked', 'error'),
      skipped: count('skip', 'observed', 'untested', 'waived'),
    });
    expect(tests.filter(({ isRetry, retriesCount }) => isRetry || retriesCount > 0)).toEqual([]);
  });

  test('name area, endpoint, rule and version, and what was expected and came', ({ skip }) => {
    skip(problem !== undefined, problem);
    const failure = verdicts.find(({ verdict, endpoint }) => verdict === 'fail' && endpoint !== undefined);
    if (!failure) throw new Error('no rule of an endpoint fails in the sample run');
    const { rule, api, area, endpoint = '', level } = failure;
    const own = tests.filter(({ fullName }) => fullName === `${rule} in API ${api}`);
    expect(own.map(({ parameters }) => Object.fromEntries(parameters.map(({ name, value }) => [name, value])))).toEqual(
      expect.arrayContaining(engines.map((engine) => ({ API: api, engine }))),
    );
    const says = someRules.find(({ id }) => id === rule)?.says;
    expect(own[0]).toMatchObject({
      name: says,
      status: 'failed',
      breadcrumbs: [[`API ${api}`, area, endpoint]],
      groupedLabels: { epic: [area], feature: [endpoint], story: [rule], tag: expect.arrayContaining(['fail', level]) },
      error: { expected: failure.expected },
    });
  });

  test('have the transcripts', ({ skip }) => {
    skip(problem !== undefined, problem);
    const failed = tests.filter(({ status }) => status === 'failed');
    for (const { attachments } of failed) {
      expect(attachments).toHaveLength(1);
      const [{ link }] = attachments as [AllureTest['attachments'][number]];
      const file = join(report, 'data', 'attachments', `${link.id}${link.ext}`);
      expect(readFileSync(file, 'utf8')).toMatch(/^\$ curl -i -X POST --unix-socket .*\n> POST \/v1/);
    }
    expect(failed.length).toBeGreaterThan(0);
    expect(existsSync(join(results, 'environment.properties'))).toBe(true);
  });
});
