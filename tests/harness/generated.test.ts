import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Confirmation, RecordedExchange, Result, RunHandler } from '../../harness/events.ts';
import type { RunOptions } from '../../harness/runner/options.ts';
import { run } from '../../harness/runner/run.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { bundled } from '../bundle-suites.ts';
import { optionsFor } from './run-options.ts';
import { newSocketPath } from './servers.ts';

const failing = 'system.ping.answers-200';
const making = 'containers.create.answers-201';
const blocked = 'containers.start.answers-204';

async function judged(rules: readonly string[], more: Partial<RunOptions> = {}) {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  const results: Result[] = [];
  const exchanges: RecordedExchange[] = [];
  const confirmed: (Confirmation | undefined)[] = [];
  const handler: RunHandler = async (event) => {
    if (event.type === 'verdict') results.push(event.result);
    if (event.type === 'confirmed') confirmed.push(event.result.confirmation);
    if (event.type === 'run-ended') for await (const one of event.exchanges()) exchanges.push(one);
  };
  const entry = bundled('tests/harness/generated-suite.ts');
  const options = { entry, apis: ['1.21' as const], handlers: [handler], ...more };
  await run(optionsFor(parseAddress(`unix://${socketPath}`), rules, options));
  return { results, exchanges, confirmed, of: (rule: string) => results.find((result) => result.rule === rule) };
}

describe('a property that does not hold', () => {
  test('fails with the rule, the smallest input, its steps and its exchanges', async () => {
    const { of, exchanges } = await judged([failing]);
    const result = of(failing);
    expect(result).toMatchObject({
      verdict: 'fail',
      reason: expect.stringContaining('system.ping.body-OK'),
      generated: { seed: 1, rule: 'system.ping.body-OK', input: '[101]', steps: ['adds 101'] },
    });
    expect(result?.generated?.shrinks).toBeGreaterThan(0);
    expect(exchanges.map(({ id }) => id)).toEqual(result?.evidence);
  });

  test('fails the same with the same seed, and with another one finds the same in another run', async () => {
    const [first, again, other] = [
      await judged([failing]),
      await judged([failing]),
      await judged([failing], { seed: 7 }),
    ];
    const found = ({ of }: typeof first) => of(failing)?.generated;
    expect(found(again)).toEqual({ ...found(first), script: expect.any(String) });
    expect(found(other)).toMatchObject({ seed: 7, input: '[101]' });
    expect(found(other)?.runs === found(first)?.runs && found(other)?.shrinks === found(first)?.shrinks).toBe(false);
  });

  test('leaves out what the baseline knows of, and goes on with the next rule', async () => {
    const { of } = await judged([failing], { known: { '1.21': ['system.ping.body-OK'] } });
    expect(of(failing)?.generated).toMatchObject({ rule: 'system.ping.text-plain', input: '[0,0,0]' });
  });

  test('is skipped when the baseline knows of all its rules', async () => {
    const { of } = await judged([failing], { known: { '1.21': ['system.ping.body-OK', 'system.ping.text-plain'] } });
    expect(of(failing)).toMatchObject({ verdict: 'skip', reason: expect.stringContaining('system.ping.text-plain') });
  });
});

describe('a property whose trials share a container', () => {
  test('is shrunk with it, and its script makes one', async () => {
    const { of } = await judged(['containers.inspect.answers-200']);
    const { script = '', input } = of('containers.inspect.answers-200')?.generated ?? {};
    expect(input).toBe('[0,0,0]');
    expect(script.match(/containers\/create/g)).toHaveLength(1);
  });

  test('fails by what only that container shows', async () => {
    const { of } = await judged(['containers.list.answers-200']);
    const { script = '', input } = of('containers.list.answers-200')?.generated ?? {};
    expect(input).toBe('[0,0,0]');
    expect(script).not.toContain('containers/create');
  });
});

describe('what a check of the same run told', () => {
  const names = 'generated.inputs.container-names';
  const volumes = 'generated.inputs.volumes';

  test('is left out by a property, though it is registered before, and the verdict says so', async () => {
    const { of } = await judged([names, 'containers.rename.name']);
    expect(of('containers.rename.name')?.verdict).toBe('fail');
    expect(of(names)).toMatchObject({
      verdict: 'pass',
      reason: 'left out, told by their own checks: containers.rename.name',
    });
  });

  test('is found by the property where no check judges it', async () => {
    const { of } = await judged([names]);
    expect(of(names)).toMatchObject({ verdict: 'fail', generated: { rule: 'containers.rename.name' } });
  });

  test('does not hide another rule, and stays left out when the failure is confirmed', async () => {
    const confirm = { rounds: 2, which: () => true };
    const { of, confirmed } = await judged([volumes, 'volumes.create.answers-201'], { confirm });
    expect(of('volumes.create.answers-201')?.verdict).toBe('blocked');
    expect(of(volumes)).toMatchObject({ verdict: 'fail', generated: { rule: 'volumes.list.every-volume' } });
    expect(confirmed).toContainEqual({ outcome: 'deterministic', failed: 2, rounds: 2 });
  });
});

test('a script sends the same requests again', async () => {
  const { of } = await judged([failing]);
  const script = of(failing)?.generated?.script ?? '';
  expect(script).toContain('# adds 101');
  await promisify(execFile)('sh', ['-n', '-c', script]);
});

test('what a run of a property made is gone before the next, and only the last run is kept', async () => {
  const { of, exchanges } = await judged([making], { runs: 12 });
  expect(of(making)).toMatchObject({ verdict: 'pass', assertions: 12 });
  expect(exchanges.map(({ request }) => request.method)).toEqual(['POST']);
});

test('a property that cannot come to its question is blocked', async () => {
  const { of } = await judged([blocked]);
  expect(of(blocked)).toMatchObject({ verdict: 'blocked', reason: expect.stringContaining('200 was needed') });
});

test('a property that has no time is blocked', async () => {
  const { of } = await judged([making], { maxMs: 0 });
  expect(of(making)).toMatchObject({ verdict: 'blocked', reason: expect.stringContaining('time') });
});
