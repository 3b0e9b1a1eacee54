import { expect, test } from 'vitest';
import type { Check } from '../../harness/check.ts';
import { prove } from '../../harness/runner/prove.ts';
import { longFirst } from '../../harness/runner/register.ts';
import { run } from '../../harness/runner/run.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { allRules } from '../../specs/catalogue.ts';
import { documentedVersions } from '../../specs/versions.ts';
import { measured } from '../../suites/measured.ts';
import { bundled } from '../bundle-suites.ts';
import { rightPing, smallEngine } from '../cli/small-engine.ts';
import { someRule } from './engines.ts';
import { optionsFor } from './run-options.ts';

function named(id: string, more: Partial<Check> = {}): Check {
  return { faults: [], run: async () => {}, ...more, rule: { ...someRule, id } };
}

test('checks that are known to take long begin first, the longest before all; the others keep their order', () => {
  const checks = [named('short'), named('9 s'), named('long', { long: true }), named('33 s'), named('other')];
  const order = longFirst(checks, { '9 s': 9, '33 s': 33 }).map(({ rule }) => rule.id);
  expect(order).toEqual(['33 s', 'long', '9 s', 'short', 'other']);
  expect(longFirst(checks).map(({ rule }) => rule.id)).toEqual(['long', 'short', '9 s', '33 s', 'other']);
});

/** Judges or proves a rule with a short check, one that takes long, and one that is slow to fail. @returns what each asked for first */
async function begun(judge: typeof run | typeof prove): Promise<string[]> {
  const pings = new Set<string>();
  const { address } = await smallEngine((answer, _count, api, query) => {
    if (query !== '') pings.add(`${query} ${api}`);
    rightPing(answer);
  });
  const rules = ['system.ping.answers-200', 'system.info.answers-200', 'system.version.answers-200'];
  const entry = bundled('tests/harness/long-suite.ts');
  await judge(optionsFor(parseAddress(address), rules, { apis: documentedVersions, concurrency: 1, entry }));
  return [...pings];
}

const inEvery = (query: string) => documentedVersions.map((api) => `${query} ${api}`);
const inTurn = (...queries: string[]) => documentedVersions.flatMap((api) => queries.map((query) => `${query} ${api}`));

test('what says that it takes long begins in every version before anything else does in one', async () => {
  expect(await begun(run)).toEqual([...inEvery('long'), ...inTurn('short', 'slow')]);
});

test('in a proof so does what is slow to fail', async () => {
  const first = inTurn('long', 'slow');
  const order = await begun(prove);
  expect(order.slice(0, first.length).toSorted()).toEqual(first.toSorted());
  expect(order.slice(first.length)).toEqual(inEvery('short'));
});

test('what was measured is of rules that there are', () => {
  const known = new Set(allRules.map(({ id }) => id));
  const recorded = [...Object.keys(measured.seconds), ...Object.values(measured.users).flat()];
  expect(recorded.length).toBeGreaterThan(500);
  expect(recorded.filter((id) => !known.has(id))).toEqual([]);
});
