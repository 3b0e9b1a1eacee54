import { setTimeout as delay } from 'node:timers/promises';

/** Whether a step is over within a time, in milliseconds, whatever comes of it. It goes on all the same. */
export async function comesWithin(step: Promise<unknown>, boundMs: number): Promise<boolean> {
  const inTime = new AbortController();
  const late = delay(boundMs, false, inTime).catch(() => false);
  const over = step.then(
    () => true,
    () => true,
  );
  return Promise.race([over, late]).finally(() => inTime.abort());
}
