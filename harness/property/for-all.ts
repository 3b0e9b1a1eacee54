import fc from 'fast-check';
import { type CheckContext, serverOf, type Tried } from '../check.ts';
import type { RecordedExchange } from '../events.ts';
import { tokenScriptOf } from '../token/script.ts';
import { TransportError } from '../transport/errors.ts';
import { currentJudgement, Judgement, withJudgement } from '../verdict/judgement.ts';
import { Blocked, Deviation, NotApplicable, outcomeOf, unanswered } from '../verdict/outcomes.ts';
import { scriptOf } from './script.ts';
import { seedOf } from './seed.ts';
import { Trial, type TrialStep } from './trial.ts';

/** Shrinking a failure continues at least this long, even when the property's time is over. */
const shrinkMs = 15_000;

export interface ForAllOptions {
  /** How many values are tried in the newest version by default; older versions get a sixth of them each. */
  readonly runs: number;
  /**
   * Whether large values are as likely as small ones, as suits sequences. Default: edge cases and small values come
   * first.
   */
  readonly unbiased?: boolean;
}

/**
 * Tries a property with generated values. The first deviation is shrunk, counting only deviations from the same rule,
 * and thrown with everything needed to reproduce it. A blocked trial ends the property, unless a deviation was found
 * before.
 * @throws Deviation, Blocked, NotApplicable as the property does
 */
export async function forAll<T>(
  context: CheckContext,
  values: fc.Arbitrary<T>,
  options: ForAllOptions,
  property: (value: T, trial: Trial) => Promise<void>,
): Promise<void> {
  const { generation, rule, api } = context;
  const search = new Search(context, property);
  const seed = seedOf(generation.seed, rule.id, api);
  const details = await fc.check(
    fc.asyncProperty(values, (value) => search.try(value)),
    {
      seed,
      numRuns:
        generation.runs ??
        (serverOf(rule) === 'engine' ? defaultRuns(options.runs, api === generation.newest) : options.runs),
      endOnFailure: !generation.shrinks,
      unbiased: options.unbiased === true,
    },
  );
  await search.end(details.numShrinks);
}

/** Other properties compare the versions, so the older ones need fewer trials. */
function defaultRuns(runs: number, isNewest: boolean): number {
  return isNewest ? runs : Math.ceil(runs / 6);
}

/** A finished trial. */
interface Made {
  readonly judgement: Judgement;
  readonly steps: readonly TrialStep[];
  readonly tried: Tried;
  readonly thrown: unknown;
  /** Whether it used what trials share. */
  readonly hasShared: boolean;
}

interface Failure<T> extends Made {
  readonly value: T;
  readonly deviation: Deviation;
}

class Search<T> {
  readonly #context: CheckContext;
  readonly #property: (value: T, trial: Trial) => Promise<void>;
  readonly #judgement = currentJudgement();
  readonly #startedAt = performance.now();
  readonly #inBaseline: readonly string[];
  /** The rules in the baseline, and those that other checks of the run found broken: they are left out. */
  readonly #known: readonly string[];
  readonly #leftOut = new Set<string>();
  #runs = 0;
  #firstFailureAt: number | undefined;
  /** Runs until the first failure. */
  #runsToFailure = 0;
  #smallest: Failure<T> | undefined;
  /** The first failure without what trials share. */
  #alone: Failure<T> | undefined;
  #lastGood: Made | undefined;
  /** Why the property cannot be decided. */
  #stopped: { readonly why: unknown } | undefined;

  constructor(context: CheckContext, property: (value: T, trial: Trial) => Promise<void>) {
    this.#context = context;
    this.#property = property;
    this.#inBaseline = context.generation.known[context.api] ?? [];
    this.#known = [...this.#inBaseline, ...context.toldOf()];
  }

  /** @throws Deviation when the property does not hold for the value */
  async try(value: T): Promise<void> {
    if (this.#isOver) return;
    this.#runs++;
    const made = await this.#made(value, true);
    const { judgement, thrown } = made;
    if (thrown === undefined && judgement.unused.length === 0) {
      if (!this.#lastGood || judgement.evidence.length > 0) this.#lastGood = made;
      return;
    }
    const failure = failureOf(value, made);
    if (failure) return this.#failed(this.#smallest ? failure : await this.#first(failure));
    // A smaller value that is blocked says nothing about the failure that was found.
    if (this.#smallest) return;
    this.#stopped = { why: thrown ?? new Error(`the property never used ${judgement.unused.join(', ')}`) };
    this.#keep(made);
  }

  /** The first failure is tried again without what trials share. */
  async #first(failure: Failure<T>): Promise<Failure<T>> {
    if (failure.hasShared) this.#alone = failureOf(failure.value, await this.#made(failure.value, false));
    // What two clients do at the same time need not come to the same again.
    return this.#alone ?? failure;
  }

  /** The failure without what trials share, so that its script is complete. */
  async #complete(smallest: Failure<T>): Promise<Failure<T>> {
    if (!smallest.hasShared) return smallest;
    const again = failureOf(smallest.value, await this.#made(smallest.value, false));
    if (again && again.deviation.rule === smallest.deviation.rule) return again;
    return this.#alone ?? smallest;
  }

  /** Tries a value once. */
  async #made(value: T, shares: boolean): Promise<Made> {
    const { api, rule, use, target } = this.#context;
    const judgement = new Judgement(api);
    const options = { decides: rule.decides, known: this.#known, target, ...(shares && { shares: use }) };
    let thrown: unknown;
    let steps: readonly TrialStep[] = [];
    let hasShared = false;
    const tried = await this.#context.trial(async (engine, begun, tokens) => {
      const trial = new Trial(engine, { ...options, begun, tokens });
      steps = trial.steps;
      thrown = await withJudgement(judgement, () => outcomeOf(() => this.#property(value, trial)));
      hasShared = trial.hasShared;
      for (const id of trial.leftOut) this.#leftOut.add(id);
    });
    this.#judgement.assertions += judgement.assertions;
    const { notes } = this.#judgement;
    notes.push(...judgement.notes.filter((note) => !notes.includes(note)));
    // A generated value that does not apply proves nothing.
    if (fc.PreconditionFailure.isFailure(thrown)) thrown = undefined;
    return { judgement, steps, tried, thrown, hasShared };
  }

  /** @throws the outcome of the property, when it did not hold or could not be decided */
  async end(shrinks: number): Promise<void> {
    if (this.#stopped) throw this.#stopped.why;
    const { generation } = this.#context;
    if (this.#smallest) {
      const failure = await this.#complete(this.#smallest);
      const { deviation, steps, tried, value } = failure;
      this.#keep(failure);
      this.#judgement.generated = {
        seed: generation.seed,
        ...(deviation.rule !== undefined && { rule: deviation.rule }),
        runs: this.#runsToFailure,
        shrinks,
        input: shown(value),
        steps: steps.map(({ words }) => words),
        script: scriptFor(this.#context, steps, tried.exchanges()),
      };
      throw deviation;
    }
    if (!this.#lastGood) throw new Blocked('the time of the property was over before its first run');
    this.#keep(this.#lastGood);
    if (this.#leftOut.size === 0) {
      if (this.#judgement.assertions > 0) return;
      throw new NotApplicable(`none of the ${this.#runs} generated values led to what is judged; --runs tries more`);
    }
    const leftOut = this.#leftOutInWords();
    if (this.#judgement.assertions === 0) throw new NotApplicable(leftOut);
    this.#judgement.notes.push(leftOut);
  }

  #leftOutInWords(): string {
    const rules = [...this.#leftOut].sort();
    const isInBaseline = (id: string) => this.#inBaseline.includes(id);
    const reasons: readonly (readonly [why: string, of: readonly string[]])[] = [
      ['known from the baseline', rules.filter(isInBaseline)],
      ['told by their own checks', rules.filter((id) => !isInBaseline(id))],
    ];
    const told = reasons.filter(([, of]) => of.length > 0).map(([why, of]) => `${why}: ${of.join(', ')}`);
    return `left out, ${told.join('; ')}`;
  }

  get #isOver(): boolean {
    if (this.#stopped) return true;
    const now = performance.now();
    const { maxMs } = this.#context.generation;
    if (this.#firstFailureAt === undefined) return now > this.#startedAt + maxMs;
    return now > Math.max(this.#startedAt + maxMs, this.#firstFailureAt + shrinkMs);
  }

  #failed(failure: Failure<T>): void {
    if (this.#smallest && this.#smallest.deviation.rule !== failure.deviation.rule) return;
    if (!this.#smallest) {
      this.#firstFailureAt = performance.now();
      this.#runsToFailure = this.#runs;
    }
    this.#smallest = failure;
    throw failure.deviation;
  }

  #keep({ judgement, tried }: Made): void {
    tried.keep();
    this.#judgement.judged(judgement.evidence);
  }
}

function scriptFor(context: CheckContext, steps: readonly TrialStep[], exchanges: readonly RecordedExchange[]): string {
  if (serverOf(context.rule) === 'authorization') return tokenScriptOf(context.tokens.server, steps, exchanges);
  return scriptOf(context.target.address, steps, exchanges, context.engine.sandbox.image);
}

function failureOf<T>(value: T, made: Made): Failure<T> | undefined {
  const deviation = deviationOf(made.thrown);
  return deviation && { ...made, value, deviation };
}

function deviationOf(thrown: unknown): Deviation | undefined {
  if (thrown instanceof TransportError) return unanswered(thrown);
  return thrown instanceof Deviation ? thrown : undefined;
}

const shownLength = 2_000;

function shown(value: unknown): string {
  const text = fc.stringify(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
