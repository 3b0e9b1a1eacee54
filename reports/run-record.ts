import type { Result, RunEnded, RunHandler, RunStarted } from '../harness/events.ts';
import { allRules } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import { apiVersions } from '../specs/versions.ts';

/** A run that has ended, in whatever way, with what is known about it. */
export interface RunRecord {
  readonly started: RunStarted;
  /** In the order of the catalogue, then of the versions. One for each rule and version: the last verdict counts. */
  readonly results: readonly Result[];
  readonly lost?: { readonly after: string; readonly reason: string };
  /** Each time that the target died and came back. */
  readonly restarts: readonly { readonly after: string; readonly reason: string }[];
  /** What the clean-up could not remove from the target. */
  readonly left: readonly string[];
  readonly ended: RunEnded;
}

/**
 * A handler that collects the run and hands it over when it ends. If a run ends before it starts, nothing is known and
 * `write` is not called.
 */
export function whenEnded(write: (record: RunRecord) => Promise<void>, rules: readonly Rule[] = allRules): RunHandler {
  const results = new Map<string, Result>();
  const left: string[] = [];
  const restarts: RunRecord['restarts'][number][] = [];
  let started: RunStarted | undefined;
  let lost: RunRecord['lost'];
  return async (event) => {
    switch (event.type) {
      case 'run-started':
        started = event;
        return;
      case 'verdict':
      case 'confirmed':
        results.set(`${event.result.rule} ${event.result.api}`, event.result);
        return;
      case 'target-lost':
        lost = { after: event.after, reason: event.reason };
        return;
      case 'target-restarted':
        restarts.push({ after: event.after, reason: event.reason });
        return;
      case 'clean-up':
        left.push(...event.left);
        return;
      case 'run-ended':
        if (!started) return;
        await write({
          started,
          results: inOrder([...results.values()], rules),
          ...(lost && { lost }),
          restarts,
          left,
          ended: event,
        });
    }
  };
}

/** Results in the order of the catalogue and of the versions. Rules that are not in the catalogue come last, by id. */
export function inOrder(results: readonly Result[], rules: readonly Rule[]): Result[] {
  const places = new Map(rules.map((rule, place) => [rule.id, place]));
  return results
    .map((result) => ({ result, place: places.get(result.rule) ?? places.size, api: apiVersions.indexOf(result.api) }))
    .sort((a, b) => a.place - b.place || compare(a.result.rule, b.result.rule) || a.api - b.api)
    .map(({ result }) => result);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
