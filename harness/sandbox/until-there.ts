import { setTimeout as delay } from 'node:timers/promises';
import type { WireAnswer } from '../transport/wire.ts';

/** How often a daemon that has not answered yet is asked for what it is to make. */
const lookMs = 2_000;

/**
 * The answer to a request that makes something, or `there` once that is there: the progress that a daemon tells may hang
 * although all is done.
 */
export async function untilThere(
  answering: Promise<WireAnswer>,
  isThere: () => Promise<boolean>,
): Promise<WireAnswer | 'there'> {
  answering.catch(() => {}); // It may fail when nobody waits for it any more.
  for (;;) {
    const answer = await Promise.race([answering, delay(lookMs, undefined, { ref: false })]);
    if (answer) return answer;
    if (await isThere()) return 'there';
  }
}
