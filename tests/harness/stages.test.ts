import { expect, onTestFinished, test } from 'vitest';
import type { Check } from '../../harness/check.ts';
import type { Result, RunHandler } from '../../harness/events.ts';
import { run } from '../../harness/runner/run.ts';
import { stagesOf } from '../../harness/runner/stages.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { bundled } from '../bundle-suites.ts';
import { someRule } from './engines.ts';
import { optionsFor } from './run-options.ts';
import { newSocketPath } from './servers.ts';

test('a check alone runs after all others; a property waits for short checks and for those of its rules, and for no other', async () => {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  const rules = [
    'generated.inputs.volumes',
    'containers.stop.answers-204',
    'volumes.list.every-volume',
    'system.ping.answers-200',
    'containers.list.limit',
  ];
  const results: Result[] = [];
  const handler: RunHandler = (event) => {
    if (event.type === 'verdict') results.push(event.result);
  };
  const entry = bundled('tests/harness/stages-suite.ts');
  await run(optionsFor(parseAddress(`unix://${socketPath}`), rules, { apis: ['1.23'], entry, handlers: [handler] }));
  expect(Object.fromEntries(results.map(({ rule, verdict, actual }) => [rule, `${verdict} ${actual}`.trim()]))).toEqual(
    Object.fromEntries(rules.map((rule) => [rule, 'pass'])),
  );
});

test('a property that decides what a check alone does runs after it in a run, and with the others in a proof', () => {
  const ofKind = (id: string, options: Partial<Check>, rule: Partial<Check['rule']> = {}): Check => ({
    faults: [],
    run: async () => {},
    ...options,
    rule: { ...someRule, ...rule, id },
  });
  const checks = [
    ofKind('alone', { exclusive: true }),
    ofKind('beside', {}),
    ofKind('decides-alone', {}, { kind: 'property', decides: ['alone', 'beside'] }),
    ofKind('decides-beside', {}, { kind: 'property', decides: ['beside'] }),
  ];
  const propertiesIn = (mode: 'run' | 'prove') => {
    const { generated, exclusiveGenerated } = stagesOf(checks, mode);
    return [generated, exclusiveGenerated].map((stage) => stage.map(({ rule }) => rule.id));
  };
  expect(propertiesIn('run')).toEqual([['decides-beside'], ['decides-alone']]);
  expect(propertiesIn('prove')).toEqual([['decides-alone', 'decides-beside'], []]);
});

test('each check has one stage, in a run and in a proof', () => {
  const checks = [
    {},
    { long: true },
    { slowToFail: true },
    { exclusive: true },
    { last: true },
    { exclusive: true, long: true },
  ];
  const named = checks.map(
    (options, at): Check => ({
      faults: [],
      run: async () => {},
      ...options,
      rule: { ...someRule, id: `check-${at}` },
    }),
  );
  for (const mode of ['run', 'prove'] as const) {
    const staged = Object.values(stagesOf(named, mode)).flat();
    expect(staged.map(({ rule }) => rule.id).toSorted()).toEqual(named.map(({ rule }) => rule.id));
  }
});
