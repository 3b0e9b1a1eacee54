import type { ApiVersion } from '../../specs/versions.ts';
import type { Generation } from '../property/generation.ts';
import type { Foreign } from '../sandbox/foreign.ts';
import type { MissingImage } from '../sandbox/missing-image.ts';
import type { Target } from '../target/target.ts';
import type { TokenServer } from '../token/token-server.ts';

/** What the worker needs to run checks; it crosses a thread border, so it is plain data. */
export interface Plan {
  readonly mode: 'run' | 'prove';
  /** Whether a proof also tries what each fault does to the other checks of its endpoint. */
  readonly others?: boolean;
  /** Whether a proof leaves out the carried versions that did not bring a rule. */
  readonly whereChanged?: boolean;
  readonly target: Target;
  readonly tokenServer?: TokenServer;
  /** Versions to be judged: those asked for that the target serves. */
  readonly apis: readonly ApiVersion[];
  /** Ids of the rules to be judged. */
  readonly rules: readonly string[];
  /** Whether the checks begin in the order of the rules; else those that take long begin first. */
  readonly inOrder?: boolean;
  readonly run: string;
  /** What was on the target before, and stays as it is. */
  readonly foreign: Foreign;
  /** The probe image's name on the target. */
  readonly image: string;
  /** Whether the run loads that image itself. */
  readonly loadsImage: boolean;
  /** Whether it is there already, or why it cannot be had; else the first check that wants it has it loaded. */
  readonly hasImage: boolean | MissingImage;
  /** The api-cors-header of the target, and whether it may be sent what no client should send, as the user says. */
  readonly corsOrigin: string | undefined;
  readonly hostile: boolean;
  /** How long a target that died is waited for in milliseconds; 0 when it is not. */
  readonly restartMs: number;
  readonly journalDirectory: string;
  /** File that takes the recorded exchanges, one JSON text a line. */
  readonly spillFile: string;
  /** Whether it takes also those that are evidence of nothing. */
  readonly allExchanges: boolean;
  /** Values that may appear in no output. */
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
  /** Names of the latitudes that the target is given, to try whether checks bear them. */
  readonly latitudes: readonly string[];
  /** Whether each rule is judged in one version only, as `judgedIn` chooses. */
  readonly inOneVersion: boolean;
  readonly generation: Generation;
}

/** The name of the channel on which a run's worker is told that the user ends the run. */
export function endingChannel({ run }: Plan): string {
  return `engine-conformance ${run}`;
}

declare module 'vitest' {
  interface ProvidedContext {
    plan: Plan;
  }
}
