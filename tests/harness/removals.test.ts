import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Removals } from '../../harness/runner/removals.ts';

const wholeMs = 30_000;

/** Several checks that end at the same time, whose removals get no answer. */
function round(removals: Removals): void {
  const begunAt = performance.now();
  vi.advanceTimersByTime(removals.boundMs);
  for (let count = 0; count < 4; count++) removals.ended(begunAt, false);
}

/** A run whose daemon has answered no removal three times one after another. */
function unanswered(cuts = true): Removals {
  const removals = new Removals(wholeMs, { cuts });
  for (let count = 0; count < 3; count++) round(removals);
  return removals;
}

describe('the removal of what checks made', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('has its whole bound while it is answered now and then, or nothing is asked', () => {
    const removals = new Removals(wholeMs, { cuts: true });
    round(removals);
    round(removals);
    expect(removals.boundMs).toBe(wholeMs);
    removals.ended(performance.now(), true);
    round(removals);
    round(removals);
    expect(removals.boundMs).toBe(wholeMs);
    removals.ended(performance.now(), undefined);
    round(removals);
    expect(removals.boundMs).toBe(2_000);
  });

  test('is waited for ever less where the daemon answers none any more, and as long as ever after an answer', () => {
    const removals = unanswered();
    expect(removals.boundMs).toBe(2_000);
    for (let count = 0; count < 5; count++) round(removals);
    expect(removals.boundMs).toBe(500);
    removals.ended(performance.now(), true);
    expect(removals.boundMs).toBe(wholeMs);
  });

  test('is waited for as long as ever on a slow daemon', () => {
    expect(unanswered(false).boundMs).toBe(wholeMs);
  });

  test('has no more than the bound of preparations', () => {
    expect(new Removals(1_000, { cuts: true }).boundMs).toBe(5_000);
  });
});
