import { setTimeout as delay } from 'node:timers/promises';

const firstPauseMs = 5;
const longestPauseMs = 500;

/**
 * Looks repeatedly until the result satisfies a condition, or the bound runs out.
 * @returns the last result, which need not satisfy it
 * @throws the reason of `signal` when it is aborted
 */
export async function lookUntil<Seen>(
  look: () => Promise<Seen>,
  satisfied: (seen: Seen) => boolean,
  boundMs: number,
  signal?: AbortSignal,
): Promise<Seen> {
  const deadline = Date.now() + boundMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const seen = await look();
    if (satisfied(seen) || Date.now() > deadline) return seen;
    await delay(pauseMs, undefined, { signal });
  }
}
