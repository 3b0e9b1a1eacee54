import { setTimeout as delay } from 'node:timers/promises';
import { afterBound } from '../transport/after-bound.ts';

const longestPauseMs = 1_000;

export interface LookUntilOptions {
  /** The pause after the first look; each later one is twice as long, up to a second. Default 5. */
  readonly firstPauseMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks repeatedly until the result satisfies a condition, or the bound runs out. It begins with the first result: where
 * a look takes long, there is another one all the same.
 * @returns the last result, which need not satisfy it
 * @throws the reason of `signal` when it is aborted
 */
export async function lookUntil<Seen>(
  look: () => Promise<Seen>,
  satisfied: (seen: Seen) => boolean,
  boundMs: number,
  { firstPauseMs = 5, signal }: LookUntilOptions = {},
): Promise<Seen> {
  let seen = await look();
  let isOver = false;
  const endBound = afterBound(boundMs, () => {
    isOver = true;
  });
  try {
    let pauseMs = firstPauseMs;
    while (!satisfied(seen) && !isOver) {
      await delay(pauseMs, undefined, { signal });
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      seen = await look();
    }
    return seen;
  } finally {
    endBound();
  }
}
