import { rmSync } from 'node:fs';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Confirmation, Result } from '../events.ts';
import { isToldOf } from '../verdict/judge.ts';
import type { Finished } from './messages.ts';
import type { RunOptions } from './options.ts';
import type { Stage } from './stage.ts';
import { startWorker } from './worker.ts';

/** How many checks before a failure are searched for the one that it depends on. */
const looksBack = 256;

/**
 * Runs the failed rules again: each alone, one after another, for several rounds. A rule that never fails this way is
 * run once more after the checks that ended before it, and the one it depends on is found by bisection.
 * @param judged all results of the run in the order in which they came
 * @param failed those of them to be confirmed
 * @param confirmed called with the outcome for each
 */
export async function confirmFailures(
  stage: Stage,
  options: RunOptions,
  { judged, failed, rounds }: { judged: readonly Result[]; failed: readonly Result[]; rounds: number },
  confirmed: (result: Result) => void,
): Promise<void> {
  const again: Again = { stage, options, judged };
  const apis = new Set(failed.map(({ api }) => api));
  for (const api of apis) {
    const ofVersion = failed.filter((result) => result.api === api);
    const fails = await failuresAlone(again, api, ofVersion, rounds);
    for (const result of ofVersion) {
      if (options.signal?.aborted) return;
      const count = fails.get(result.rule) ?? 0;
      const confirmation = await confirmationOf(result, count);
      confirmed({ ...result, confirmation });
    }
  }

  async function confirmationOf(result: Result, count: number): Promise<Confirmation> {
    if (count === rounds) return { outcome: 'deterministic', failed: count, rounds };
    const after = count === 0 ? await dependsOn(again, result) : undefined;
    if (after !== undefined) return { outcome: 'order', failed: count, rounds, after };
    return { outcome: 'intermittent', failed: count, rounds };
  }
}

/** A run, parts of which are to run again. */
interface Again {
  readonly stage: Stage;
  readonly options: RunOptions;
  /** All results of the run in the order in which they came. */
  readonly judged: readonly Result[];
}

async function failuresAlone(
  again: Again,
  api: ApiVersion,
  results: readonly Result[],
  rounds: number,
): Promise<ReadonlyMap<string, number>> {
  const fails = new Map<string, number>();
  const rules = results.map(({ rule }) => rule);
  for (let round = 0; round < rounds; round++) {
    for (const rule of await failing(again, api, rules)) fails.set(rule, (fails.get(rule) ?? 0) + 1);
  }
  return fails;
}

/** The check after which the rule fails; undefined when it does not fail after any of those before it. */
async function dependsOn(again: Again, { rule, api }: Result): Promise<string | undefined> {
  const { judged } = again;
  const place = judged.findIndex((result) => result.rule === rule && result.api === api);
  const before = judged.slice(0, place).filter((result) => result.api === api && result.rule !== rule);
  const failsAfter = async (rules: readonly string[]) => (await failing(again, api, [...rules, rule])).includes(rule);
  let suspects = before.slice(-looksBack).map((result) => result.rule);
  if (suspects.length === 0 || !(await failsAfter(suspects))) return undefined;
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.ceil(suspects.length / 2));
    suspects = (await failsAfter(half)) ? half : suspects.slice(half.length);
  }
  const [last] = suspects;
  // A failure that needs two of them together, or chance, has no single cause.
  return last !== undefined && (await failsAfter([last])) ? last : undefined;
}

/**
 * Runs the rules one after another, and returns those that failed. Properties again leave out what the run found
 * broken.
 */
async function failing(
  { stage, options, judged }: Again,
  api: ApiVersion,
  rules: readonly string[],
): Promise<readonly string[]> {
  const failed: string[] = [];
  const plan = stage.plan('run', rules);
  const { generation } = plan;
  const known = { [api]: [...(generation.known[api] ?? []), ...toldOf(judged, api)] };
  // The exchanges of the run itself are kept; these would have the same ids.
  const spillFile = `${plan.spillFile}.again`;
  const again = { ...plan, inOrder: true, apis: [api], spillFile, generation: { ...generation, known } };
  const finished = ({ result }: Finished) => {
    if (result?.verdict === 'fail') failed.push(result.rule);
  };
  try {
    await startWorker(options.entry, rules).run(again, { ...options, concurrency: 1 }, { finished });
  } finally {
    rmSync(spillFile, { force: true });
  }
  return failed;
}

/** The rules that their own checks found broken. */
function toldOf(judged: readonly Result[], api: ApiVersion): string[] {
  const told = judged.filter((one) => one.api === api && isToldOf(one));
  return told.map(({ rule }) => rule);
}
