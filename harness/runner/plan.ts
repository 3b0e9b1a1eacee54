import type { ApiVersion } from '../../specs/versions.ts';
import type { Generation } from '../property/generation.ts';
import type { Foreign } from '../sandbox/foreign.ts';
import type { MissingImage } from '../sandbox/missing-image.ts';
import type { Declared } from '../target/declared.ts';
import type { Target } from '../target/target.ts';
import type { TokenServer } from '../token/token-server.ts';

/** What the worker needs to run checks; plain data, because it is sent to another thread. */
export interface Plan {
  readonly mode: 'run' | 'prove';
  /** Whether a proof also tries each fault on the other checks of its endpoint. */
  readonly others?: boolean;
  /** Whether a proof leaves out carried versions that did not introduce a rule. */
  readonly whereChanged?: boolean;
  readonly target: Target;
  readonly tokenServer?: TokenServer;
  /** Versions to be judged: those that were asked for and that the target serves. */
  readonly apis: readonly ApiVersion[];
  /** Ids of the rules to be judged. */
  readonly rules: readonly string[];
  /** Whether the checks start in the order of the rules; otherwise the long ones start first. */
  readonly inOrder?: boolean;
  readonly run: string;
  /** What was on the target before, and must not be changed. */
  readonly foreign: Foreign;
  /** The probe image's name on the target. */
  readonly image: string;
  /** Whether the run loads that image itself. */
  readonly loadsImage: boolean;
  /** Whether it is already there, or why it is not available; otherwise the first check that needs it loads it. */
  readonly hasImage: boolean | MissingImage;
  readonly declared: Declared;
  /** How long to wait for a target that died, in milliseconds; 0 when it is not waited for. */
  readonly restartMs: number;
  readonly journalDirectory: string;
  /** File for the recorded exchanges, one JSON text per line. */
  readonly spillFile: string;
  /** What it gets of exchanges. Evidence is whatever may explain a verdict. */
  readonly keeps: 'all' | 'evidence' | 'nothing';
  /** Values that must not appear in any output. */
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
  /** Names of the latitudes to apply to the target, to try whether checks tolerate them. */
  readonly latitudes: readonly string[];
  /** Whether each rule is judged in one version only, as `judgedIn` chooses. */
  readonly inOneVersion: boolean;
  readonly generation: Generation;
}
