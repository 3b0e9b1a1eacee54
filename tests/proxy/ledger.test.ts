import { expect, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';
import { Ledger } from '../../proxy/ledger.ts';
import { rulebook } from '../../specs/catalogue.ts';

const rule = rulebook['containers.list.field.Labels'];
const should = new Deviation('a map', 'null', 'should');
const must = new Deviation('a map', '7');

function ledger() {
  const told: Result[] = [];
  return { told, ledger: new Ledger([rule], ['1.21', '1.23'], (result) => told.push(result)) };
}

test('the gravest deviation is the verdict, whatever was kept before and after it', () => {
  const { told, ledger: one } = ledger();
  for (const [deviation, exchange] of [
    [undefined, 'x1'],
    [should, 'x2'],
    [must, 'x3'],
    [should, 'x4'],
    [undefined, 'x5'],
  ] as const) {
    one.add({ rule, ...(deviation && { deviation }) }, '1.23', exchange);
  }
  const [unseen, seen] = [...one.results()];
  expect(seen).toMatchObject({ verdict: 'fail', level: 'must', actual: '7', evidence: ['x3'], assertions: 5 });
  expect(seen?.reason).toContain('in 3 of 5 exchanges');
  expect(unseen).toMatchObject({ api: '1.21', verdict: 'skip' });
  expect(told.map(({ level, evidence }) => [level, ...evidence])).toEqual([
    ['should', 'x2'],
    ['must', 'x3'],
  ]);
});

test('only the exchange that a verdict rests on is kept', () => {
  const { ledger: one } = ledger();
  expect(one.add({ rule }, '1.23', 'x1')).toBe(true);
  expect(one.add({ rule }, '1.23', 'x2')).toBe(false);
  expect(one.add({ rule, deviation: should }, '1.23', 'x3')).toBe(true);
  expect(one.add({ rule, deviation: should }, '1.23', 'x4')).toBe(false);
});

test('a rule or version that was not asked for is not judged', () => {
  const { told, ledger: one } = ledger();
  expect(one.add({ rule, deviation: must }, '1.20', 'x1')).toBe(false);
  expect(one.add({ rule: rulebook['containers.list.field.Id'], deviation: must }, '1.23', 'x1')).toBe(false);
  expect(told).toEqual([]);
});
