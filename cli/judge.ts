import type { Result, RunHandler } from '../harness/events.ts';
import { run } from '../harness/runner/run.ts';
import { causesOnce } from '../reports/causes/once.ts';
import { visibleLine } from '../reports/visible.ts';
import { bailAfter } from './bail.ts';
import { useBaseline } from './baseline-option.ts';
import { exitStatus } from './exit-status.ts';
import { githubReport } from './github.ts';
import type { Interrupt } from './interrupt.ts';
import { outputOf, say } from './output.ts';
import { reportFiles } from './report-files.ts';
import type { RunFlags } from './run-flags.ts';
import { runOptions } from './run-options.ts';
import { settingsOf } from './run-settings.ts';
import type { Selection } from './selection.ts';
import { tally } from './tally.ts';
import { chooseTarget } from './target.ts';

/** The outcome of one run. */
export interface Judged {
  /** The exit status of a process that only does this run. */
  readonly status: number;
  /** How the run ended. */
  readonly end: string;
  /** In order of arrival, with known deviations as `waived`. */
  readonly results: readonly Result[];
}

/** One run. An error in the command line is thrown before anything starts. */
export async function judge(flags: RunFlags, selection: Selection, interrupt: Interrupt): Promise<Judged> {
  const baseline = useBaseline(flags);
  const findCauses = causesOnce();
  const files = reportFiles(flags.report, { failOn: flags.failOn, stale: baseline.stale, findCauses }, flags);
  const output = await outputOf(flags, selection.rules, findCauses);
  const verdicts = tally();
  const bail = bailAfter(flags.bail, flags.failOn);
  const results: Result[] = [];
  let end = '';
  const gather: RunHandler = (event) => {
    if (event.type === 'verdict') results.push(event.result);
    if (event.type === 'run-ended') end = event.end;
  };
  const handlers = baseline.over([
    ...[verdicts.handler, bail.handler, gather],
    ...[...output.handlers, ...files.handlers, ...githubReport(say, findCauses)],
  ]);

  const statusOf = (known: ReturnType<typeof baseline.finish>): number => {
    if (interrupt.status !== undefined) return interrupt.status;
    if (files.problems.length > 0) return exitStatus.failed;
    const status = verdicts.status(flags.failOn);
    // From now on the deviations are in the baseline.
    if (known.written && status === exitStatus.deviates) return exitStatus.kept;
    const good = status === exitStatus.kept || status === exitStatus.inconclusive;
    return good && !known.holds ? exitStatus.deviates : status;
  };

  let target: Awaited<ReturnType<typeof chooseTarget>> | undefined;
  try {
    target = await chooseTarget(flags, flags.dialect, { declared: flags, api: flags.api });
    const confirm = flags.confirm === undefined ? undefined : { rounds: flags.confirm, which: baseline.isNew };
    const settings = settingsOf(flags, target);
    const signal = AbortSignal.any([interrupt.signal, bail.signal]);
    const known = { known: baseline.known };
    await run(
      runOptions(target, selection, flags, handlers, { signal, settings, ...known, ...(confirm && { confirm }) }),
    );
  } catch (error) {
    if (files.earlier !== undefined) say(`The report of an earlier run is in ${visibleLine(files.earlier)}.`);
    throw error;
  } finally {
    await target?.close();
  }
  const known = baseline.finish();
  await output.report(files.json);
  for (const line of [...known.lines, ...files.problems]) say(visibleLine(line));
  output.end(`Reports: ${files.directory}`);
  return { status: statusOf(known), end, results };
}
