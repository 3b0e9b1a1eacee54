import { mkdtempSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Confirmation, RecordedExchange, Result, RunEvent } from '../../harness/events.ts';
import { run } from '../../harness/runner/run.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { bundled } from '../bundle-suites.ts';
import { rightPing, smallEngine } from '../cli/small-engine.ts';
import { workplace } from '../workplace.ts';
import { optionsFor } from './run-options.ts';

/** A daemon that answers OK to the pings that count but for some, numbered from 1. */
async function daemon(wrong: readonly number[]) {
  let counted = 0;
  const { address } = await smallEngine((answer, _count, _api, query) => {
    if (query === 'counts' && wrong.includes(++counted)) answer.end('no');
    else rightPing(answer);
  });
  return parseAddress(address);
}

const rules = [
  'system.info.answers-200',
  'system.version.answers-200',
  'system.ping.answers-200',
  'system.ping.body-OK',
];

/** Runs in one version and gives what was told of the failures, by rule, and the exchange of each verdict. */
async function confirmed(wrong: readonly number[], which: (result: Result) => boolean = () => true) {
  const events: RunEvent[] = [];
  const exchanges = new Map<string, RecordedExchange>();
  const options = optionsFor(await daemon(wrong), rules, {
    apis: ['1.21'],
    concurrency: 1,
    entry: bundled('tests/harness/order-suite.ts'),
    confirm: { rounds: 3, which },
    handlers: [
      async (event) => {
        events.push(event);
        if (event.type !== 'run-ended') return;
        for await (const exchange of event.exchanges()) exchanges.set(exchange.id, exchange);
      },
    ],
  });
  await run(options);
  const results = events.flatMap((event) => (event.type === 'confirmed' ? [event.result] : []));
  const told: Record<string, Confirmation | undefined> = {};
  for (const { rule, confirmation } of results) told[rule] = confirmation;
  return { told, results, exchanges };
}

test('tells what fails always, what depends on order, and what fails now and then', { timeout: 120_000 }, async () => {
  // The first is of the run itself, the others of the three rounds.
  const { told, results, exchanges } = await confirmed([1, 3]);
  expect(told).toEqual({
    'system.info.answers-200': { outcome: 'deterministic', failed: 3, rounds: 3 },
    'system.ping.answers-200': { outcome: 'order', failed: 0, rounds: 3, after: 'system.version.answers-200' },
    'system.ping.body-OK': { outcome: 'intermittent', failed: 1, rounds: 3 },
  });
  for (const { verdict, rule, evidence } of results) {
    expect(verdict).toBe('fail');
    // The evidence is still that of the run.
    expect(exchanges.get(evidence[0] ?? '')?.madeFor).toBe(rule);
  }
});

test('a failure that never comes again is told as intermittent', { timeout: 120_000 }, async () => {
  const temporary = mkdtempSync(path.join(workplace, 'temporary-'));
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { told } = await confirmed([1]);
  expect(told['system.ping.body-OK']).toEqual({ outcome: 'intermittent', failed: 0, rounds: 3 });
  expect(readdirSync(temporary)).toEqual([]);
});

test('what is excused is not run again', { timeout: 120_000 }, async () => {
  const { told } = await confirmed([], ({ rule }) => rule.startsWith('system.info.answers'));
  expect(Object.keys(told)).toEqual(['system.info.answers-200']);
});
