import { isRuleId, rulebook } from '../../specs/catalogue.ts';
import type { Result, RunHandler } from '../events.ts';
import type { Latitude } from '../latitudes/latitude.ts';
import { contrarians } from '../latitudes/latitudes.ts';
import type { RunOptions } from './options.ts';

/** A rule that an engine does not keep in the eyes of its check, although the documents allow what the engine does. */
interface FalseAlarm {
  readonly rule: string;
  readonly api: string;
  readonly verdict: Result['verdict'];
  readonly reason: string;
  readonly expected: string;
  readonly actual: string;
  /** The latitudes under which it comes, each by itself; empty when only several together bring it. */
  readonly under: readonly string[];
}

export interface Soundness {
  readonly latitudes: readonly Latitude[];
  /** How many engines took them. */
  readonly engines: number;
  readonly falseAlarms: readonly FalseAlarm[];
}

/**
 * Runs the suite against the target as it is, and then once for each contrarian engine: the same target behind latitudes.
 * What fails, is blocked or is skipped there and not on the target itself is a false alarm, which is then looked for
 * under each latitude alone. Rules of level `observe` are left aside.
 * @param judge runs the chosen rules against the target, all of them unless told
 */
export async function trySoundness(
  latitudes: readonly Latitude[],
  judge: (
    options: Pick<RunOptions, 'latitudes' | 'handlers'> & { readonly rules?: readonly string[] },
  ) => Promise<void>,
  progress: (what: string) => void,
): Promise<Soundness> {
  const engines = contrarians(latitudes);
  const judged = async (varied: readonly Latitude[], rules?: readonly string[]): Promise<readonly Result[]> => {
    const results: Result[] = [];
    const gather: RunHandler = (event) => {
      if (event.type === 'verdict') results.push(event.result);
    };
    await judge({ latitudes: varied.map(({ name }) => name), handlers: [gather], ...(rules && { rules }) });
    return results;
  };
  progress('the engine as it is');
  const plain = new Map((await judged([])).map((result) => [keyOf(result), result]));
  const falseAlarms: FalseAlarm[] = [];
  for (const [place, engine] of engines.entries()) {
    progress(`contrarian engine ${place + 1} of ${engines.length}, ${engine.length} latitudes`);
    const worse = (await judged(engine)).filter((result) => isWorse(result, plain.get(keyOf(result))));
    const under = new Map<string, string[]>();
    for (const latitude of worse.length > 0 ? engine : []) {
      progress(`${worse.length} false alarms: ${latitude.name} alone`);
      const rules = [...new Set(worse.map(({ rule }) => rule))];
      for (const result of await judged([latitude], rules)) {
        if (!isWorse(result, plain.get(keyOf(result)))) continue;
        under.set(keyOf(result), [...(under.get(keyOf(result)) ?? []), latitude.name]);
      }
    }
    for (const result of worse) {
      const { rule, api, verdict, reason, expected, actual } = result;
      falseAlarms.push({ rule, api, verdict, reason, expected, actual, under: under.get(keyOf(result)) ?? [] });
    }
  }
  return { latitudes, engines: engines.length, falseAlarms };
}

function keyOf({ rule, api }: Pick<Result, 'rule' | 'api'>): string {
  return `${rule} ${api}`;
}

/** Whether a rule that fails never did, or one that was decided is not any more. */
function isWorse(result: Result, before: Result | undefined): boolean {
  if (isRuleId(result.rule) && rulebook[result.rule].level === 'observe') return result.verdict === 'error';
  if (before?.verdict === result.verdict) return false;
  return ['fail', 'blocked', 'error', 'skip'].includes(result.verdict);
}
