import type { Target } from '../target/target.ts';

/** With fewer the processors wait now and then; with more a daemon answers later, and little is done sooner. */
const checksPerProcessor = 3;
/** A target is slow where a single start takes this part of the bound of an exchange, which is ten times as long as usual. */
const partOfSlow = 1 / 12;
/** A start that takes less is not slow, however short the bound is. */
const leastMs = 1_000;
/** On a slow target as many checks run at once as can start a container one after another in this part of the bound. */
const partForAll = 1 / 3;

/** How a run goes about a target. */
export interface Pace {
  /** How many checks run at once. */
  readonly concurrency: number;
  /** Why they are fewer than usual, in a sentence; absent if they are not. */
  readonly why?: string;
}

type Started = Pick<Target, 'startMs'>;
type Measured = Pick<Target, 'startMs' | 'processors'>;

/**
 * Where a daemon has few processors, or containers start slowly, as in an emulated machine, fewer checks run at once: all
 * of them together would overload the daemon, and then nothing is answered in time, however right it is.
 * @param most how many checks run at once on other targets
 * @param boundMs the bound of one exchange in milliseconds
 */
export function paceOn({ startMs = 0, processors }: Measured, most: number, boundMs: number): Pace {
  const usual = processors === undefined ? most : Math.min(most, checksPerProcessor * processors);
  if (!isSlow({ startMs }, boundMs)) return { concurrency: usual };
  const concurrency = Math.max(1, Math.min(usual, Math.floor((partForAll * boundMs) / startMs)));
  if (concurrency === usual) return { concurrency };
  const seconds = (startMs / 1_000).toFixed(1);
  const checks = concurrency === 1 ? 'one check runs' : `${concurrency} checks run`;
  return {
    concurrency,
    why: `the daemon takes ${seconds} s to start a container, so ${checks} at once instead of ${usual} (see --concurrency)`,
  };
}

/** Whether time-outs may come from the target's slowness, and so say nothing about what it never does. */
export function isSlow({ startMs = 0 }: Started, boundMs: number): boolean {
  return startMs >= Math.max(leastMs, partOfSlow * boundMs);
}
