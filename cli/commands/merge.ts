import { UsageError } from '../../harness/usage-error.ts';
import { causesOnce } from '../../reports/causes/once.ts';
import { MergeProblem, mergeShards, type NamedReport } from '../../reports/stored/merge.ts';
import { visibleLine } from '../../reports/visible.ts';
import { allRules } from '../../specs/catalogue.ts';
import { exitStatus } from '../exit-status.ts';
import { githubReport } from '../github.ts';
import { type OutputFlags, outputOf, say } from '../output.ts';
import { reportFiles } from '../report-files.ts';
import type { ReporterFlags } from '../reporters.ts';
import { givenReport } from '../stored-report.ts';
import { tally } from '../tally.ts';

export interface MergeFlags extends OutputFlags, ReporterFlags {
  readonly report: string;
}

/** Writes the reports of the run that was split into shards. @returns the exit status that the run would have had */
export async function mergeCommand(names: readonly string[], flags: MergeFlags): Promise<number> {
  const given: NamedReport[] = [];
  for (const name of names) given.push({ name, report: (await givenReport(name)).report });
  const events = eventsOf(given);
  const failOn = given[0]?.report.options?.failOn ?? 'must';
  const findCauses = causesOnce();
  const files = reportFiles(flags.report, { failOn, findCauses }, flags);
  const output = await outputOf(flags, allRules, findCauses);
  const verdicts = tally();
  const handlers = [verdicts.handler, ...output.handlers, ...files.handlers, ...githubReport(say, findCauses)];
  for (const event of events) for (const handler of handlers) await handler(event);
  await output.report(files.json);
  for (const line of files.problems) say(visibleLine(line));
  output.end(`Reports: ${files.directory}`);
  if (files.problems.length > 0) return exitStatus.failed;
  return verdicts.status(failOn);
}

function eventsOf(given: readonly NamedReport[]): ReturnType<typeof mergeShards> {
  try {
    return mergeShards(given);
  } catch (error) {
    if (error instanceof MergeProblem) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
