import type { Result, RunHandler, RunSettings } from '../events.ts';
import type { Generation } from '../property/generation.ts';
import type { Address } from '../target/address.ts';
import type { ApiWish } from '../target/judged-versions.ts';
import type { TokenServer } from '../token/token-server.ts';

/** One run as its caller wants it. */
export interface RunOptions {
  /** The engine; absent when only a token server is judged. */
  readonly address?: Address;
  readonly tokenServer?: TokenServer;
  /** `auto`, `engine`, `docker`, or a file of words. */
  readonly dialect: string;
  /** Versions asked for; absent: as `judgedVersions` chooses. */
  readonly apis?: readonly ApiWish[];
  /** Ids of the rules to be judged. */
  readonly rules: readonly string[];
  /** An image that is on the target already; default: the probe image is loaded and removed again. */
  readonly image?: string;
  /** The api-cors-header that the daemon was started with; absent when it was started without. */
  readonly corsOrigin?: string;
  /** The file that imports the suites and registers their checks. */
  readonly entry: string;
  readonly concurrency: number;
  /** Bound of one exchange in milliseconds. */
  readonly timeoutMs: number;
  /** How long a target that died is waited for in milliseconds; 0 when nobody starts it again. */
  readonly restartMs: number;
  /** Names of the latitudes that the target is given, to try whether checks bear them. */
  readonly latitudes?: readonly string[];
  /** Whether each rule is judged in one version only, as `judgedIn` chooses; else in all in which it holds. */
  readonly inOneVersion?: boolean;
  readonly seed: number;
  /** Runs of each generated test; absent: as many as it thinks right. */
  readonly runs?: number;
  /** How long a generated test may go on in one version, in milliseconds. */
  readonly maxMs: number;
  /** Rules that the baseline knows the target to deviate from. */
  readonly known?: Generation['known'];
  /** Whether requests that no client should send may be sent. */
  readonly hostile?: boolean;
  /** Whether the exchanges that are evidence of nothing can be read back, too. */
  readonly allExchanges?: boolean;
  readonly journalDirectory: string;
  /** Values that may appear in no output. */
  readonly secrets: readonly string[];
  /** What the reports are to tell of the options. */
  readonly settings?: RunSettings;
  readonly tool: { readonly name: string; readonly version: string };
  readonly handlers: readonly RunHandler[];
  /** How often failures are run again, and which of them are; absent when they are not. */
  readonly confirm?: { readonly rounds: number; readonly which: (result: Result) => boolean };
  /** Aborted to end the run early, as on Ctrl-C; what is known is still reported, and the reason where it is a text. */
  readonly signal?: AbortSignal;
}
