import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Baseline, readBaseline } from '../harness/baseline/baseline.ts';
import { updateBaseline } from '../harness/baseline/update.ts';
import { excuses, knownIn, waive } from '../harness/baseline/waive.ts';
import type { Result, RunHandler } from '../harness/events.ts';
import type { Generation } from '../harness/property/generation.ts';
import { UsageError } from '../harness/usage-error.ts';

export interface BaselineFlags {
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
}

/** How the baseline on the command line affects a run. */
export interface BaselineUse {
  /** Whether a result is a deviation that is not known. */
  readonly isNew: (result: Result) => boolean;
  /** Wraps the handlers of the run, so that they see known deviations as `waived`. */
  over(handlers: readonly RunHandler[]): readonly RunHandler[];
  /** The rules with a known deviation, by version. */
  readonly known: Generation['known'];
  /** What no longer holds in the baseline, one line each; empty during the run. */
  readonly stale: () => readonly string[];
  /** To be called when the run has ended: returns entries that no longer hold, or what was written, one line each. */
  finish(): { readonly lines: readonly string[]; readonly holds: boolean; readonly written: boolean };
}

/**
 * Reads the baseline named on the command line; one that will be written need not exist yet.
 * @throws UsageError when it cannot be used
 */
export function useBaseline({ baseline: file, updateBaseline: isUpdate }: BaselineFlags): BaselineUse {
  if (file === undefined) {
    if (isUpdate === true) throw new UsageError('--update-baseline needs --baseline, the file to update');
    return noBaseline;
  }
  const isNew = isUpdate === true && !existsSync(file);
  if (isNew && !existsSync(path.dirname(path.resolve(file))))
    throw new UsageError(`cannot write ${file}: there is no directory ${path.dirname(file)}; make it first`);
  const baseline = isNew ? { file, entries: [] } : readBaseline(file);
  return isUpdate === true ? updating(baseline) : waiving(baseline);
}

const noBaseline: BaselineUse = {
  isNew: () => true,
  known: {},
  stale: () => [],
  over: (handlers) => handlers,
  finish: () => ({ lines: [], holds: true, written: false }),
};

function waiving(baseline: Baseline): BaselineUse {
  let stale = (): string[] => [];
  let unreviewed = (): string[] => [];
  return {
    isNew: (result) => !excuses(baseline, result),
    known: knownIn(baseline),
    stale: () => stale(),
    over(handlers) {
      const waiver = waive(baseline, handlers);
      stale = waiver.stale;
      unreviewed = waiver.unreviewed;
      return [waiver.handler];
    },
    finish() {
      const problems = stale();
      return { lines: [...problems, ...unreviewed()], holds: problems.length === 0, written: false };
    },
  };
}

function updating(baseline: Baseline): BaselineUse {
  const results: Result[] = [];
  let end = 'not complete';
  const gather: RunHandler = (event) => {
    if (event.type === 'verdict') results.push(event.result);
    if (event.type === 'run-ended') end = event.end;
  };
  const { isNew, known, over } = waiving(baseline);
  return {
    isNew,
    known,
    stale: () => [],
    over: (handlers) => [gather, ...over(handlers)],
    finish() {
      if (end !== 'complete') {
        return { lines: [`${baseline.file} was not changed: the run was ${end}`], holds: true, written: false };
      }
      const { added, removed, narrowed } = updateBaseline(baseline, results);
      const counts = `${added} added, ${removed} removed, ${narrowed} narrowed`;
      const next = added > 0 ? '; write a reason for each new entry' : '';
      return { lines: [`${baseline.file}: entries ${counts}${next}`], holds: true, written: true };
    },
  };
}
