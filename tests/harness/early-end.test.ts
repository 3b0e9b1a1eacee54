import { describe, expect, test } from 'vitest';
import { EarlyEnd } from '../../harness/runner/early-end.ts';

const never = new Promise<string>(() => {});

describe('unless the run ends early', () => {
  test('a promise becomes what it would have become', async () => {
    const end = new EarlyEnd();
    expect(await end.unless(Promise.resolve('a decision'))).toBe('a decision');
    await expect(end.unless(Promise.reject(new Error('a mistake')))).rejects.toThrow('a mistake');
    expect(end.hasCome).toBe(false);
  });

  test('it is waited for, and else no longer', async () => {
    const end = new EarlyEnd();
    const waits = end.unless(never);
    end.come();
    expect(await waits).toBeUndefined();
    expect(await end.unless(never)).toBeUndefined();
    expect(end.hasCome).toBe(true);
  });
});
