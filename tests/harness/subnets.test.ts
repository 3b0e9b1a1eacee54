import { describe, expect, test } from 'vitest';
import { isInSubnet, nextSubnet } from '../../harness/engine/subnets.ts';

describe('the subnets of a run', () => {
  const made = Array.from({ length: 1_000 }, () => nextSubnet('run1'));

  test('are those for benchmarks and documentation, and differ all through it', () => {
    expect(new Set(made.map(({ cidr }) => cidr)).size).toBe(1_000);
    for (const { cidr } of made) expect(cidr).toMatch(/^198\.1[89]\.\d+\.\d+\/28$/);
    expect(new Set(made.map(({ cidr6 }) => cidr6)).size).toBe(1_000);
    for (const { cidr6 } of made) expect(cidr6).toMatch(/^2001:db8:[0-9a-f]{1,4}:[0-9a-f]{1,4}::\/64$/);
  });

  test('have sixteen addresses, eight of them in the upper half', () => {
    for (const { cidr, upperHalf, at } of made) {
      const places = Array.from({ length: 16 }, (_none, place) => at(place));
      expect(places.every((address) => isInSubnet(address, cidr))).toBe(true);
      expect(places.map((address) => isInSubnet(address, upperHalf))).toEqual(
        places.map((_address, place) => place > 7),
      );
    }
  });
});

test('an address outside, or none at all, is in no subnet', () => {
  expect(isInSubnet('198.51.100.31', '198.51.100.16/28')).toBe(true);
  expect(isInSubnet('198.51.100.32', '198.51.100.16/28')).toBe(false);
  expect(isInSubnet('203.0.113.17', '198.51.100.16/28')).toBe(false);
  expect(isInSubnet('', '198.51.100.16/28')).toBe(false);
});
