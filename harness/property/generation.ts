import type { ApiVersion } from '../../specs/versions.ts';

/** The settings of generated tests. Plain data, because it is sent to the worker. */
export interface Generation {
  readonly seed: number;
  /** The newest version under test, in which properties are tried most often. */
  readonly newest?: ApiVersion;
  /** Runs of each property; absent: the property's own default. */
  readonly runs?: number;
  /** Time limit of one property in one version, in milliseconds. */
  readonly maxMs: number;
  /** Whether failures are shrunk before they are reported. */
  readonly shrinks: boolean;
  /** The rules with a known deviation in the baseline: properties leave them out. */
  readonly known: Readonly<Partial<Record<ApiVersion, readonly string[]>>>;
}

/** A proof asks whether a property can fail at all, so it continues this long until it does. */
const proof = { runs: 1_000, maxMs: 180_000 };

/**
 * The settings for a property that has to fail: it ends at its first failure, and the exact number of runs does not
 * matter.
 */
export function untilFailure(generation: Generation): Generation {
  return { ...proof, ...generation, maxMs: Math.max(proof.maxMs, generation.maxMs) };
}

/** A failure of a generated test, shrunk as far as possible, with everything needed to reproduce it. */
export interface Generated {
  /** `--seed` with this value generates the same again. */
  readonly seed: number;
  /** The rule that the daemon broke; absent when it gave no whole answer outside any rule's judgement. */
  readonly rule?: string;
  /** Runs up to and including the first failure. */
  readonly runs: number;
  /** How often the failure was shrunk. */
  readonly shrinks: number;
  /** What was generated, as a literal. */
  readonly input: string;
  /** What the test did, in words. */
  readonly steps: readonly string[];
  /** A shell script that does the same with curl. */
  readonly script: string;
}
