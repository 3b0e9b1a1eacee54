import type { Result, RunHandler, RunSettings } from '../events.ts';
import type { Generation } from '../property/generation.ts';
import type { Address } from '../target/address.ts';
import type { Declared } from '../target/declared.ts';
import type { ApiWish } from '../target/judged-versions.ts';
import type { TokenServer } from '../token/token-server.ts';

/** The options of one run. */
export interface RunOptions {
  /** The engine; absent when only a token server is judged. */
  readonly address?: Address;
  readonly tokenServer?: TokenServer;
  /** `auto`, `engine`, `docker`, or a file of words. */
  readonly dialect: string;
  /** Versions that were asked for; absent: as `judgedVersions` chooses. */
  readonly apis?: readonly ApiWish[];
  /** Ids of the rules to be judged. */
  readonly rules: readonly string[];
  /** An image that is already on the target; default: the probe image is loaded and removed again. */
  readonly image?: string;
  readonly declared?: Declared;
  /** The file that imports the suites and registers their checks. */
  readonly entry: string;
  /** How many checks run at once. */
  readonly concurrency: number;
  /** Whether fewer run at once where the target has few processors or is slow, as `paceOn` says. */
  readonly paced?: boolean;
  /** Bound of one exchange in milliseconds. */
  readonly timeoutMs: number;
  /** How long to wait for a target that died, in milliseconds; 0 when nobody restarts it. */
  readonly restartMs: number;
  /** Names of the latitudes to apply to the target, to try whether checks tolerate them. */
  readonly latitudes?: readonly string[];
  /** Whether each rule is judged in one version only, as `judgedIn` chooses; otherwise in all in which it holds. */
  readonly inOneVersion?: boolean;
  readonly seed: number;
  /** Runs of each generated test; absent: its own default. */
  readonly runs?: number;
  /** Time limit of a generated test in one version, in milliseconds. */
  readonly maxMs: number;
  /** Rules with a known deviation in the baseline. */
  readonly known?: Generation['known'];
  /** Whether exchanges that are not evidence can be read back, too. */
  readonly allExchanges?: boolean;
  readonly journalDirectory: string;
  /** Values that must not appear in any output. */
  readonly secrets: readonly string[];
  /** The options that the reports mention. */
  readonly settings?: RunSettings;
  readonly tool: { readonly name: string; readonly version: string };
  readonly handlers: readonly RunHandler[];
  /** How often, and which, failures are run again; absent: never. */
  readonly confirm?: { readonly rounds: number; readonly which: (result: Result) => boolean };
  /** Aborted to end the run early, as on Ctrl-C; what is known is still reported, with the reason if it is a text. */
  readonly signal?: AbortSignal;
}
