import { namedDialect } from '../../harness/target/dialect.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { judge } from '../judge.ts';
import { say } from '../output.ts';
import { partOf } from '../part.ts';
import type { RunFlags } from '../run-flags.ts';
import { select } from '../selection.ts';
import { meantRules } from '../target.ts';

/** Judges a target and writes the reports, repeatedly with `--watch`. @returns the exit status */
export async function runCommand(flags: RunFlags): Promise<number> {
  if (flags.bail !== undefined && flags.updateBaseline) {
    throw new UsageError('--update-baseline needs a complete run; leave out --bail');
  }
  const selection = await partOf(meantRules(select(flags), flags), flags);
  if (!selection) {
    say(`nothing failed in ${flags.rerunFailed}: there is nothing to judge again`);
    return exitStatus.kept;
  }
  if (flags.dialect !== 'auto') await namedDialect(flags.dialect);
  if (flags.watch) return (await import('../watch/watch.ts')).watchTarget(flags, selection);

  const interrupt = watchInterrupt(() => say('interrupted: cleaning up; press Ctrl-C again to end at once'));
  try {
    const { status } = await judge(flags, selection, interrupt);
    return status;
  } finally {
    interrupt.stop();
  }
}
