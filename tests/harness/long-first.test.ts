import { expect, test } from 'vitest';
import type { Check } from '../../harness/check.ts';
import { longFirst } from '../../harness/runner/register.ts';
import { allRules } from '../../specs/catalogue.ts';
import { measured } from '../../suites/measured.ts';
import { someRule } from './engines.ts';

function named(id: string, more: Partial<Check> = {}): Check {
  return { faults: [], run: async () => {}, ...more, rule: { ...someRule, id } };
}

test('checks that are known to take long begin first, the longest before all; the others keep their order', () => {
  const checks = [named('short'), named('9 s'), named('long', { long: true }), named('33 s'), named('other')];
  const order = longFirst(checks, { '9 s': 9, '33 s': 33 }).map(({ rule }) => rule.id);
  expect(order).toEqual(['33 s', 'long', '9 s', 'short', 'other']);
  expect(longFirst(checks).map(({ rule }) => rule.id)).toEqual(['long', 'short', '9 s', '33 s', 'other']);
});

test('what was measured is of rules that there are', () => {
  const known = new Set(allRules.map(({ id }) => id));
  const recorded = [...Object.keys(measured.seconds), ...Object.values(measured.users).flat()];
  expect(recorded.length).toBeGreaterThan(500);
  expect(recorded.filter((id) => !known.has(id))).toEqual([]);
});
