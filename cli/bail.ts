import type { RunHandler } from '../harness/events.ts';
import { counts, type FailOn } from '../reports/weight.ts';

/** What ends a run early. */
export interface Bail {
  /** Receives the verdicts, with those known to the baseline as `waived`. */
  readonly handler: RunHandler;
  /** Aborted once enough rules are broken. */
  readonly signal: AbortSignal;
}

/**
 * Ends a run once `limit` rules, each in a version, are not kept: they failed or were blocked, or the kit failed at
 * them. Without a limit it never does.
 */
export function bailAfter(limit: number | undefined, failOn: FailOn): Bail {
  const controller = new AbortController();
  let found = 0;
  return {
    signal: controller.signal,
    handler(event) {
      if (event.type !== 'verdict' || controller.signal.aborted) return;
      const { result } = event;
      if (result.verdict !== 'error' && !counts(result, failOn)) return;
      found++;
      if (found === limit) controller.abort(reasonOf(found));
    },
  };
}

function reasonOf(found: number): string {
  return found === 1 ? 'stopped after one failure (--bail)' : `stopped after ${found} failures (--bail)`;
}
