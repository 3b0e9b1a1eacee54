import type { Result, RunEnded, RunHandler } from '../harness/events.ts';
import { counts, type FailOn } from '../reports/weight.ts';
import { exitStatus } from './exit-status.ts';

export interface Tally {
  readonly handler: RunHandler;
  /** The exit status that follows from the verdicts. */
  status(failOn: FailOn): number;
}

/** Collects what decides the exit status. */
export function tally(): Tally {
  const notKept: Pick<Result, 'verdict' | 'level'>[] = [];
  const seen = new Set<string>();
  let total = 0;
  let decided = 0;
  let errors = 0;
  let ended: RunEnded | undefined;
  return {
    handler(event) {
      if (event.type === 'run-started') total = event.total;
      if (event.type === 'run-ended') ended = event;
      if (event.type !== 'verdict') return;
      const { rule, api, verdict, level } = event.result;
      seen.add(`${rule} ${api}`);
      if (verdict === 'error') errors++;
      if (verdict === 'pass' || verdict === 'fail' || verdict === 'waived') decided++;
      if (verdict === 'fail' || verdict === 'blocked') notKept.push({ verdict, level });
    },
    status(failOn) {
      if (ended?.end === 'lost') return exitStatus.lost;
      // If verdicts are missing, the run was not judged completely.
      const whole = ended?.end === 'complete' && seen.size === total;
      if (errors > 0 || (!whole && ended?.end !== 'interrupted')) return exitStatus.failed;
      if (notKept.some((result) => counts(result, failOn))) return exitStatus.deviates;
      return decided === 0 ? exitStatus.inconclusive : exitStatus.kept;
    },
  };
}
