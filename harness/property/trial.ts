import { rulebook } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import type { StatedRuleId } from '../../specs/stated.ts';
import { holdsIn } from '../../specs/versions.ts';
import type { Fixture, FixtureContext } from '../check.ts';
import type { Engine } from '../engine/engine.ts';
import type { TokenClient } from '../token/token-client.ts';
import { TransportError } from '../transport/errors.ts';
import { judgingBy } from '../verdict/judgement.ts';
import { Deviation, unanswered } from '../verdict/outcomes.ts';

/** A step of a trial, with the number of exchanges begun before it. */
export interface TrialStep {
  readonly words: string;
  readonly exchanges: number;
}

export interface TrialOptions {
  /** The rules that the property declares that it decides. */
  readonly decides: readonly string[] | undefined;
  /** Rules with a deviation known from the baseline, or found by their own checks in the same run. */
  readonly known: readonly string[];
  /** The number of exchanges begun so far. */
  readonly begun: () => number;
  /** Returns the token server, if the run has one. */
  readonly tokens: () => TokenClient;
  /** Gives what trials share; absent where this trial makes everything itself. */
  readonly shares?: FixtureContext['use'];
  readonly target: FixtureContext['target'];
}

/** One run of a property with one generated value, on an engine whose things are removed afterwards. */
export class Trial {
  readonly engine: Engine;
  readonly steps: TrialStep[] = [];
  /** Rules that were left out because of a known deviation. */
  readonly leftOut = new Set<string>();
  /** Whether it used what trials share. */
  hasShared = false;
  readonly #options: TrialOptions;

  constructor(engine: Engine, options: TrialOptions) {
    this.engine = engine;
    this.#options = options;
  }

  /** @throws when the run has no token server */
  get tokens(): TokenClient {
    return this.#options.tokens();
  }

  /**
   * Something that nothing changes, so that it serves many trials. A failure is tried once more with its own, so that the
   * script is complete.
   */
  use<T>(fixture: Fixture<T>): Promise<T> {
    const { shares, target } = this.#options;
    if (shares) {
      this.hasShared = true;
      return shares(fixture);
    }
    const { engine } = this;
    const { tokens } = this.#options;
    return fixture.make({
      engine,
      get tokens() {
        return tokens();
      },
      api: engine.api,
      target,
      use: (inner) => this.use(inner),
    });
  }

  /** Notes the next step in words: 'starts the container a'. */
  step(words: string): void {
    this.steps.push({ words, exchanges: this.#options.begun() });
  }

  /** Whether a rule holds in the engine's version, and has no known deviation. */
  holds(id: StatedRuleId): boolean {
    const rule: Rule = rulebook[id];
    if (!holdsIn(rule, this.engine.api)) return false;
    if (!this.#options.known.includes(id)) return true;
    this.leftOut.add(id);
    return false;
  }

  /**
   * Judges by a rule, if it holds: a deviation is then attributed to that rule.
   * @throws Deviation with the rule
   */
  async decides(id: StatedRuleId, judge: () => void | Promise<void>): Promise<void> {
    const { decides } = this.#options;
    if (decides?.includes(id) === false) throw new Error(`the property does not say that it decides ${id}`);
    if (!this.holds(id)) return;
    try {
      await judgingBy(rulebook[id], this.engine.api, judge);
    } catch (error) {
      if (error instanceof TransportError) throw unanswered(error, id);
      if (!(error instanceof Deviation)) throw error;
      throw new Deviation(error.expected, error.actual, error.level, error.rule ?? id, { shown: error.shown });
    }
  }
}
