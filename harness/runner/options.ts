import type { ApiVersion } from '../../specs/versions.ts';
import type { RunHandler } from '../events.ts';
import type { Address } from '../target/address.ts';

/** One run as its caller wants it. */
export interface RunOptions {
  readonly address: Address;
  /** `auto`, `engine`, `docker`, or a file of words. */
  readonly dialect: string;
  readonly apis: readonly ApiVersion[];
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
  readonly seed: number;
  readonly journalDirectory: string;
  /** Values that may appear in no output. */
  readonly secrets: readonly string[];
  readonly tool: { readonly name: string; readonly version: string };
  readonly handlers: readonly RunHandler[];
  /** Aborted to end the run early, as on Ctrl-C; what is known is still reported. */
  readonly signal?: AbortSignal;
}
