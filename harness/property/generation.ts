import type { ApiVersion } from '../../specs/versions.ts';

/** How generated tests are to be generated. Plain data: it crosses to the worker. */
export interface Generation {
  readonly seed: number;
  /** The newest version that is judged: properties are tried most often there. */
  readonly newest?: ApiVersion;
  /** Runs of each property; absent: as many as the property thinks right. */
  readonly runs?: number;
  /** How long one property may go on in one version, in milliseconds. */
  readonly maxMs: number;
  /** Whether a failure is made smaller before it is reported. */
  readonly shrinks: boolean;
  /** The rules that the baseline knows the target to deviate from: properties leave them out. */
  readonly known: Readonly<Partial<Record<ApiVersion, readonly string[]>>>;
}

/** A proof asks whether a property can fail at all, so it goes on for this long until it does. */
const proof = { runs: 1_000, maxMs: 180_000 };

/** How to generate for a property that has to fail: it ends at its first failure, and one run more or less says nothing. */
export function untilFailure(generation: Generation): Generation {
  return { ...proof, ...generation, maxMs: Math.max(proof.maxMs, generation.maxMs) };
}

/** A failure of a generated test, as small as it could be made, with all that makes it happen again. */
export interface Generated {
  /** With `--seed` the same is generated again. */
  readonly seed: number;
  /** The rule that the daemon deviated from; absent when it gave no whole answer outside of any rule's judgement. */
  readonly rule?: string;
  /** Runs until the first failure, that one included. */
  readonly runs: number;
  /** How often the failure was made smaller. */
  readonly shrinks: number;
  /** What was generated, as a literal. */
  readonly input: string;
  /** What the test did, in words. */
  readonly steps: readonly string[];
  /** A shell script that does the same with curl. */
  readonly script: string;
}
