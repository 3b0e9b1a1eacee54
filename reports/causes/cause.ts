import type { Level } from '../../specs/statement.ts';
import type { ApiVersion } from '../../specs/versions.ts';

/** A rule that a cause explains, with the versions in which it does. */
export interface ExplainedRule {
  readonly rule: string;
  readonly apis: readonly ApiVersion[];
  /** The verdict on the rule because of it. */
  readonly verdict: 'fail' | 'blocked';
}

/** What clients do on a daemon with this cause, as far as it was measured. */
export interface TrippedClients {
  /** Commands and methods that fail. */
  readonly fails: readonly string[];
  /** Those that print something different. */
  readonly printsOtherwise: readonly string[];
}

/** What explains deviating verdicts of a run: one thing to fix. */
export interface Cause {
  /** Identifies the same cause in every run: what was seen, without what differs between runs. */
  readonly key: string;
  /**
   * - `not-served`: the target has no such endpoint.
   * - `not-reached`: the run ended first; there is nothing to fix in the target.
   * - `deviates`: everything else.
   */
  readonly sort: 'not-served' | 'deviates' | 'not-reached';
  /** One sentence; it may contain what the daemon sent. */
  readonly says: string;
  /** The endpoints of the rules that it makes fail, or of those that it blocks if none fails. */
  readonly endpoints: readonly string[];
  /** The most serious level of its failures, or of its blocked rules if none fails. */
  readonly level: Level;
  /** In catalogue order. */
  readonly rules: readonly ExplainedRule[];
  /** The versions in which it was seen, oldest first. */
  readonly apis: readonly ApiVersion[];
  /** The number of verdicts that it makes fail. */
  readonly failing: number;
  readonly blocked: number;
  /** The number of verdicts skipped because of it. */
  readonly skipped: number;
  readonly clients: TrippedClients;
  /** Determines the order: the rules that fixing it would settle, and the client commands that it breaks. */
  readonly weight: number;
  /** The failure that shows it best: the last exchange of its evidence, and the script of its rule. */
  readonly shownBy: { readonly rule: string; readonly api: ApiVersion; readonly exchange?: string };
}
