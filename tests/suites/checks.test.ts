import { describe, expect, test } from 'vitest';
import { allChecks } from '../../harness/check.ts';
import { allRules } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import '../../suites/index.ts';

const checks = [...allChecks().values()];

test('every rule has a check, or a reason why none can decide it', () => {
  const bare = allRules.filter(({ id, unchecked }) => !allChecks().has(id) && unchecked === undefined);
  expect(bare.map(({ id }) => id)).toEqual([]);
});

describe('every check', () => {
  test('decides a rule that a check can decide', () => {
    const idle = checks.filter(({ rule }) => rule.unchecked !== undefined).map(({ rule }) => rule.id);
    expect(idle).toEqual([]);
  });

  test('can fail, unless its rule is never judged', () => {
    const unproven = checks.filter(({ rule, faults }) => rule.level !== 'observe' && faults.length === 0);
    expect(unproven.map(({ rule }) => rule.id)).toEqual([]);
  });

  test('has faults that apply to an endpoint', () => {
    const lost = checks.filter(({ rule, faults }) => !rule.endpoint && faults.some(({ on }) => on === undefined));
    expect(lost.map(({ rule }) => rule.id)).toEqual([]);
  });

  test('has faults with names of their own', () => {
    const twice = checks.filter(({ faults }) => new Set(faults.map(({ name }) => name)).size < faults.length);
    expect(twice.map(({ rule }) => rule.id)).toEqual([]);
  });

  test('of an endpoint rule stands for an endpoint of the contract', () => {
    for (const { rule } of checks) if (rule.endpoint) expect(endpointTitle(rule.endpoint)).toMatch(/^[A-Z]+ \//);
  });
});
