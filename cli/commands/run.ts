import { run } from '../../harness/runner/run.ts';
import { namedDialect } from '../../harness/target/dialect.ts';
import { visibleLine } from '../../reports/visible.ts';
import { type BaselineFlags, useBaseline } from '../baseline-option.ts';
import { exitStatus } from '../exit-status.ts';
import { githubReport } from '../github.ts';
import { watchInterrupt } from '../interrupt.ts';
import { type OutputFlags, outputOf, say } from '../output.ts';
import { type PartFlags, partOf } from '../part.ts';
import { reportFiles } from '../report-files.ts';
import { type ExchangeFlags, runOptions } from '../run-options.ts';
import { settingsOf } from '../run-settings.ts';
import { type SelectionFlags, select } from '../selection.ts';
import { tally } from '../tally.ts';
import { chooseTarget, meantRules, type TargetFlags } from '../target.ts';

export interface RunFlags extends TargetFlags, SelectionFlags, PartFlags, ExchangeFlags, BaselineFlags, OutputFlags {
  readonly report: string;
  readonly allure?: string;
  readonly failOn: 'must' | 'should';
  /** How often failures are run again. */
  readonly confirm?: number;
}

/** Judges a target and writes the reports. @returns the exit status */
export async function runCommand(flags: RunFlags): Promise<number> {
  // What is wrong with the command line is said before anything is started.
  const selection = await partOf(meantRules(select(flags), flags), flags);
  if (!selection) {
    say(`nothing failed in ${flags.rerunFailed}, so there is nothing to judge again`);
    return exitStatus.kept;
  }
  const baseline = useBaseline(flags);
  if (flags.dialect !== 'auto') namedDialect(flags.dialect);
  const files = reportFiles(flags.report, flags.allure);
  const output = outputOf(flags, selection.rules);
  const verdicts = tally();
  const handlers = baseline.over([verdicts.handler, ...output.handlers, ...files.handlers, ...githubReport(say)]);

  const interrupt = watchInterrupt(() => say('interrupted: removing what was made; once more to end at once'));
  const target = await chooseTarget(flags, flags.dialect, flags.corsOrigin);
  try {
    const confirm = flags.confirm === undefined ? undefined : { rounds: flags.confirm, which: baseline.isNew };
    const settings = settingsOf(flags, target.concurrency);
    const { signal } = interrupt;
    await run(
      runOptions(target, selection, flags, handlers, {
        signal,
        settings,
        known: baseline.known,
        ...(confirm && { confirm }),
      }),
    );
  } finally {
    await target.close();
    interrupt.stop();
  }

  const known = baseline.finish();
  await output.report(files.json);
  for (const line of [...known.lines, ...files.problems]) say(visibleLine(line));
  output.end(`Reports: ${files.directory}`);
  if (interrupt.status !== undefined) return interrupt.status;
  if (files.problems.length > 0) return exitStatus.failed;
  const status = verdicts.status(flags.failOn);
  // What deviates is in the baseline from now on.
  if (known.written && status === exitStatus.deviates) return exitStatus.kept;
  const good = status === exitStatus.kept || status === exitStatus.inconclusive;
  return good && !known.holds ? exitStatus.deviates : status;
}
