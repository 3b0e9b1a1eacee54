import type { ApiVersion } from '../../specs/versions.ts';
import type { Result } from '../events.ts';
import type { OthersTried, RefusalTried } from './matrix-trials.ts';
import type { Plan } from './plan.ts';

/**
 * What the main thread sends to the worker: which rules it will judge, what to do, once each, and later perhaps that the user
 * ends the run.
 */
export type ToWorker =
  | { readonly type: 'rules'; readonly rules: readonly string[] }
  | { readonly type: 'plan'; readonly plan: Plan; readonly concurrency: number }
  | { readonly type: 'end' };

/** What the worker sends back. It is small: anything large goes to the spill file. */
export type FromWorker =
  /** Once: every test that will run. */
  | { readonly type: 'collected'; readonly tests: readonly CheckTest[] }
  /** For every test in the order in which they end. */
  | { readonly type: 'finished'; readonly test: Finished }
  /** What went wrong outside any test. */
  | { readonly type: 'problem'; readonly message: string }
  /** Last: every test has ended, and what they shared is removed. */
  | { readonly type: 'over' };

/** The test of one check in one version. */
export interface CheckTest {
  readonly rule: string;
  readonly api: ApiVersion;
  /** The fault under which the check runs, when the run proves checks. */
  readonly fault: string | undefined;
}

/** What the worker reports about one finished test. */
export interface Finished extends CheckTest {
  /** Absent when the test was never run, or the kit failed in it. */
  readonly result: Result | undefined;
  /** Whether the check was begun at all. */
  readonly begun: boolean;
  readonly lost: string | undefined;
  /** How the target died, if it came back meanwhile. */
  readonly death: string | undefined;
  readonly problem: string;
  /** Of a proof: the effect of a fault on other checks. */
  readonly others: OthersTried | undefined;
  /** Of a proof: the outcome of the check where everything is refused. */
  readonly refusals: readonly RefusalTried[] | undefined;
}
