import { expect, test } from 'vitest';
import { counted, thousands } from '../../reports/counted.ts';

test.each([0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 1_234_567])(
  '%i has a comma before each three digits',
  (number) => {
    expect(thousands(number)).toBe(number.toLocaleString('en'));
  },
);

test('a number of things', () => {
  expect([0, 1, 2, 1_813].map((number) => counted(number, 'rule'))).toEqual([
    '0 rules',
    '1 rule',
    '2 rules',
    '1,813 rules',
  ]);
});
