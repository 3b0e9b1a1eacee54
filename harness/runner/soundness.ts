import { isRuleId, rulebook } from '../../specs/catalogue.ts';
import type { RecordedExchange, Result, RunHandler } from '../events.ts';
import type { Latitude } from '../latitudes/latitude.ts';
import { contrarians } from '../latitudes/latitudes.ts';
import { wholeAnswer } from '../verdict/outcomes.ts';
import type { RunOptions } from './options.ts';

/** A rule that its check considers broken, although the documents allow what the engine does. */
interface FalseAlarm {
  readonly rule: string;
  readonly api: string;
  readonly verdict: Result['verdict'];
  readonly reason: string;
  readonly expected: string;
  readonly actual: string;
  /** The latitudes that cause it, each by itself; empty when only several together cause it. */
  readonly under: readonly string[];
  /** Whether it recurred when it was tried with fewer latitudes, or with the same ones again. */
  readonly isLasting: boolean;
  /** What its check exchanged with the daemon when it was seen first, in the order in which it ended. */
  readonly exchanges: readonly RecordedExchange[];
}

export interface Soundness {
  readonly latitudes: readonly Latitude[];
  /** The number of engines with these latitudes. */
  readonly engines: number;
  readonly falseAlarms: readonly FalseAlarm[];
  /** What came too late once, and not when it was tried again: this says nothing of the engine. */
  readonly lateOnce: readonly Pick<Result, 'rule' | 'api' | 'verdict' | 'reason'>[];
}

/** Runs rules against the target, by default all of the chosen ones, each in one version. */
export type SoundnessTrial = (
  options: Pick<RunOptions, 'latitudes' | 'handlers'> & { readonly rules?: readonly string[] },
) => Promise<void>;

/**
 * Runs the suite against the target as it is, and then once for each contrarian engine: the same target behind
 * latitudes. What fails, is blocked or is skipped there but not on the target itself is a false alarm, whose cause is
 * then searched for with fewer and fewer latitudes; what is only once too late is told apart from them. Rules of level
 * `observe` are left out.
 * @param progress is told what is being tried
 */
export async function trySoundness(
  latitudes: readonly Latitude[],
  judge: SoundnessTrial,
  progress: (what: string) => void,
): Promise<Soundness> {
  const engines = contrarians(latitudes);
  progress('the unchanged engine');
  const trials = new Trials(judge, await plainResults(judge));
  const falseAlarms: FalseAlarm[] = [];
  const lateOnce: Soundness['lateOnce'][number][] = [];
  for (const [place, engine] of engines.entries()) {
    progress(`contrarian engine ${place + 1} of ${engines.length}, ${engine.length} latitudes`);
    const worse = await trials.worse(engine);
    const narrowed = (some: readonly Latitude[]) =>
      progress(`${worse.size} false alarms: searching ${some.length} latitudes for their cause`);
    const under = await narrow(trials, engine, worse, narrowed);
    const open = [...worse].filter(([key]) => !under.has(key)).map(([, { rule }]) => rule);
    const again = open.length > 0 ? await trials.worse(engine, open) : new Map<string, Worse>();
    for (const [key, { rule, api, verdict, reason, expected, actual, exchanges }] of worse) {
      const found = under.get(key) ?? [];
      const isLasting = found.length > 0 || again.has(key);
      if (!isLasting && isOfTime({ verdict, expected, actual })) lateOnce.push({ rule, api, verdict, reason });
      else falseAlarms.push({ rule, api, verdict, reason, expected, actual, under: found, isLasting, exchanges });
    }
  }
  return { latitudes, engines: engines.length, falseAlarms, lateOnce };
}

/**
 * Whether a busy machine alone may be the cause: a step was too late, or the engine, which is the suite's own, gave no whole
 * answer within the bound. What was waited for on a stream in vain may never have come, and is not meant.
 */
function isOfTime({ verdict, expected, actual }: Pick<Result, 'verdict' | 'expected' | 'actual'>): boolean {
  return verdict === 'blocked' || (expected === wholeAnswer && / within \d+ ms$/.test(actual));
}

/** A result that is worse with latitudes than without, with what its check exchanged. */
interface Worse extends Result {
  readonly exchanges: readonly RecordedExchange[];
}

/** What is worse with latitudes than without. */
class Trials {
  readonly #judge: SoundnessTrial;
  readonly #plain: ReadonlyMap<string, Result>;

  /** @param plain the results without latitudes */
  constructor(judge: SoundnessTrial, plain: ReadonlyMap<string, Result>) {
    this.#judge = judge;
    this.#plain = plain;
  }

  async worse(latitudes: readonly Latitude[], rules?: readonly string[]): Promise<ReadonlyMap<string, Worse>> {
    const results = new Map<string, Result>();
    const exchanges: RecordedExchange[] = [];
    const gather: RunHandler = async (event) => {
      if (event.type === 'verdict' && isWorse(event.result, this.#plain.get(keyOf(event.result)), latitudes)) {
        results.set(keyOf(event.result), event.result);
      } else if (event.type === 'run-ended' && results.size > 0) {
        const makers = new Set([...results.values()].map(({ rule }) => rule));
        for await (const exchange of event.exchanges(({ madeFor }) => makers.has(madeFor))) exchanges.push(exchange);
      }
    };
    await this.#judge({ latitudes: latitudes.map(({ name }) => name), handlers: [gather], ...(rules && { rules }) });
    const madeFor = ({ rule }: Result) => exchanges.filter((exchange) => exchange.madeFor === rule);
    return new Map([...results].map(([key, result]) => [key, { ...result, exchanges: madeFor(result) }]));
  }
}

/** The single latitudes that cause each of the false alarms, found by bisection. */
async function narrow(
  trials: Trials,
  latitudes: readonly Latitude[],
  worse: ReadonlyMap<string, Result>,
  progress: (some: readonly Latitude[]) => void,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [only, ...others] = latitudes;
  if (only === undefined || worse.size === 0) return new Map();
  if (others.length === 0) return new Map([...worse.keys()].map((key) => [key, [only.name]]));
  const rules = [...new Set([...worse.values()].map(({ rule }) => rule))];
  const found = new Map<string, readonly string[]>();
  const middle = Math.ceil(latitudes.length / 2);
  for (const half of [latitudes.slice(0, middle), latitudes.slice(middle)]) {
    progress(half);
    const among = await narrow(trials, half, await trials.worse(half, rules), progress);
    for (const [key, names] of among) found.set(key, [...(found.get(key) ?? []), ...names]);
  }
  return found;
}

/** Judges the target as it is. */
async function plainResults(judge: SoundnessTrial): Promise<ReadonlyMap<string, Result>> {
  const results = new Map<string, Result>();
  const gather: RunHandler = (event) => {
    if (event.type === 'verdict') results.set(keyOf(event.result), event.result);
  };
  await judge({ latitudes: [], handlers: [gather] });
  return results;
}

function keyOf({ rule, api }: Pick<Result, 'rule' | 'api'>): string {
  return `${rule} ${api}`;
}

/** Whether a rule fails that did not before, or is no longer decided, and no latitude is a reason for that. */
function isWorse(result: Result, before: Result | undefined, latitudes: readonly Latitude[]): boolean {
  if (result.verdict === 'skip' && latitudes.some(({ skips }) => skips?.test(result.reason))) return false;
  if (isRuleId(result.rule) && rulebook[result.rule].level === 'observe') return result.verdict === 'error';
  if (before?.verdict === result.verdict) return false;
  return ['fail', 'blocked', 'error', 'skip'].includes(result.verdict);
}
