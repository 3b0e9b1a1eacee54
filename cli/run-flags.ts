import type { BaselineFlags } from './baseline-option.ts';
import type { OutputFlags } from './output.ts';
import type { PartFlags } from './part.ts';
import type { ReporterFlags } from './reporters.ts';
import type { ExchangeFlags } from './run-options.ts';
import type { SelectionFlags } from './selection.ts';
import type { TargetFlags } from './target.ts';

/** The options of `run`. */
export interface RunFlags
  extends TargetFlags,
    SelectionFlags,
    PartFlags,
    ExchangeFlags,
    BaselineFlags,
    OutputFlags,
    ReporterFlags {
  readonly report: string;
  readonly failOn: 'must' | 'should';
  /** How often failures are run again. */
  readonly confirm?: number;
  /** The settings file that was read. */
  readonly config?: string;
  /** Number of failures after which the run ends. */
  readonly bail?: number;
  /** Judges again whenever the target comes back. */
  readonly watch?: boolean;
}
