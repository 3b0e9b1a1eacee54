import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lookUntil } from '../../harness/engine/look-until.ts';

test('what takes longer than the bound to look at is looked at once more', async () => {
  let looks = 0;
  const look = async () => {
    await delay(60);
    return ++looks;
  };
  expect(await lookUntil(look, (seen) => seen === 2, 50)).toBe(2);
});

test('what never satisfies the condition is looked at until the bound runs out', async () => {
  let looks = 0;
  expect(
    await lookUntil(
      async () => ++looks,
      () => false,
      30,
    ),
  ).toBe(looks);
  expect(looks).toBeGreaterThan(1);
});

test('what satisfies it is looked at once', async () => {
  let looks = 0;
  await lookUntil(
    async () => ++looks,
    () => true,
    1_000,
  );
  expect(looks).toBe(1);
});

test('no look follows once it is aborted', async () => {
  let looks = 0;
  const looking = lookUntil(
    async () => ++looks,
    () => false,
    10_000,
    { signal: AbortSignal.timeout(20) },
  );
  await expect(looking).rejects.toThrow();
  const before = looks;
  await delay(50);
  expect(looks).toBe(before);
});

test('it looks for as long as it takes where there is no bound', async () => {
  let looks = 0;
  const enough = 4;
  await lookUntil(
    async () => ++looks,
    (count) => count === enough,
    Number.POSITIVE_INFINITY,
  );
  expect(looks).toBe(enough);
});
