import type { Level } from '../../specs/statement.ts';
import type { ApiVersion } from '../../specs/versions.ts';

/** A rule that a cause explains, with the versions in which it does. */
export interface ExplainedRule {
  readonly rule: string;
  readonly apis: readonly ApiVersion[];
  /** How the rule came out by it. */
  readonly verdict: 'fail' | 'blocked';
}

/** What clients do on a daemon with this cause, as far as it was measured. */
export interface TrippedClients {
  /** Commands and methods that fail. */
  readonly fails: readonly string[];
  /** Those that print something else. */
  readonly printsOtherwise: readonly string[];
}

/** What explains deviating verdicts of a run: one thing to mend. */
export interface Cause {
  /** The same for the same cause in every run: what was seen, without what differs from run to run. */
  readonly key: string;
  /**
   * - `not-served`: the target has no such endpoint.
   * - `not-reached`: the run ended before; nothing of the target is to be mended.
   * - `deviates`: all else.
   */
  readonly sort: 'not-served' | 'deviates' | 'not-reached';
  /** One sentence; may hold what the daemon sent. */
  readonly says: string;
  /** The endpoints of the rules that fail by it; of those that are blocked by it where none fails. */
  readonly endpoints: readonly string[];
  /** The gravest level among its failures; of rules that are blocked only, theirs. */
  readonly level: Level;
  /** In the order of the catalogue. */
  readonly rules: readonly ExplainedRule[];
  /** The versions in which it was seen, oldest first. */
  readonly apis: readonly ApiVersion[];
  /** Verdicts that it turns. */
  readonly failing: number;
  readonly blocked: number;
  /** Verdicts that were skipped because of it. */
  readonly skipped: number;
  readonly clients: TrippedClients;
  /** What the order goes by: the rules that it settles, and the commands of clients that trip over it. */
  readonly weight: number;
  /** The failure that shows it best: its exchange is the last of the evidence, its script that of the rule. */
  readonly shownBy: { readonly rule: string; readonly api: ApiVersion; readonly exchange?: string };
}
