import { namedDialect } from '../../harness/target/dialect.ts';
import type { BaselineFlags } from '../baseline-option.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { prepareRun } from '../judge.ts';
import { type OutputFlags, say } from '../output.ts';
import { type PartFlags, partOf } from '../part.ts';
import type { ExchangeFlags } from '../run-options.ts';
import { type SelectionFlags, select } from '../selection.ts';
import { meantRules, type TargetFlags } from '../target.ts';

export interface RunFlags extends TargetFlags, SelectionFlags, PartFlags, ExchangeFlags, BaselineFlags, OutputFlags {
  readonly report: string;
  readonly allure?: string;
  readonly failOn: 'must' | 'should';
  /** How often failures are run again. */
  readonly confirm?: number;
  /** Judges again whenever the target comes back. */
  readonly watch?: boolean;
}

/** Judges a target and writes the reports, again and again with `--watch`. @returns the exit status */
export async function runCommand(flags: RunFlags): Promise<number> {
  const selection = await partOf(meantRules(select(flags), flags), flags);
  if (!selection) {
    say(`nothing failed in ${flags.rerunFailed}, so there is nothing to judge again`);
    return exitStatus.kept;
  }
  if (flags.dialect !== 'auto') namedDialect(flags.dialect);
  if (flags.watch) return (await import('../watch/watch.ts')).watchTarget(flags, selection);

  const interrupt = watchInterrupt(() => say('interrupted: removing what was made; once more to end at once'));
  try {
    const { status } = await prepareRun(flags, selection, interrupt)();
    return status;
  } finally {
    interrupt.stop();
  }
}
