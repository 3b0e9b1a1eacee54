import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRuleId, rulebook } from '../../specs/catalogue.ts';
import { rulesPage } from '../../specs/export/markdown.ts';
import { retiredRuleIds } from './retired-rule-ids.ts';

const recorded = readFileSync(new URL('rule-ids.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean);
const remedy = 'run: npm run build && node scripts/generate.js';

test('no rule id that was ever recorded is gone, unless it is retired with a reason', () => {
  expect(recorded.filter((id) => !isRuleId(id) && !Object.hasOwn(retiredRuleIds, id))).toEqual([]);
});

test('a retired id is never given to a rule again', () => {
  expect(Object.keys(retiredRuleIds).filter((id) => isRuleId(id) || !recorded.includes(id))).toEqual([]);
  for (const [id, reason] of Object.entries(retiredRuleIds)) expect(reason, id).not.toBe('');
});

test('every rule id is recorded', () => {
  const known = new Set(recorded);
  expect(
    Object.keys(rulebook).filter((id) => !known.has(id)),
    remedy,
  ).toEqual([]);
});

test('docs/rules.md is that of the data', () => {
  const page = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8');
  expect(page === rulesPage(), `docs/rules.md is stale; ${remedy}`).toBe(true);
});
