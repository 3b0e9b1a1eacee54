import path from 'node:path';
import { UsageError } from '../../harness/usage-error.ts';
import { issueOfFailure } from '../../reports/issue.ts';
import { scriptsOf } from '../../reports/repro/files.ts';
import { isShownAgain } from '../../reports/repro/sent.ts';
import { recordOf } from '../../reports/stored/stored-report.ts';
import { visibleLine } from '../../reports/visible.ts';
import { apiVersions } from '../../specs/versions.ts';
import { exitStatus } from '../exit-status.ts';
import { say } from '../output.ts';
import { ruleOf } from '../selection.ts';
import { givenReport } from '../stored-report.ts';

export interface ReproFlags {
  readonly report: string;
  readonly api?: string;
  /** Prints an issue instead of only the script. */
  readonly markdown?: boolean;
}

/**
 * Prints the script that reproduces a rule's failure, or an issue containing it.
 * @returns the exit status: 4 if no script can reproduce it, with the reason
 * @throws UsageError for a rule that was kept, or a version that was not judged
 */
export async function reproCommand(id: string, flags: ReproFlags): Promise<number> {
  const rule = ruleOf(id);
  const { file, report } = await givenReport(flags.report);
  const record = recordOf(report);
  const ofRule = record.results.filter((result) => result.rule === rule.id && isShownAgain(result));
  const wanted = ofRule.filter(({ api }) => flags.api === undefined || api === flags.api);
  const result = wanted.toSorted((one, other) => apiVersions.indexOf(one.api) - apiVersions.indexOf(other.api)).at(-1);
  if (!result) {
    const where = flags.api === undefined ? '' : ` in API ${flags.api}`;
    throw new UsageError(`${rule.id} did not fail${where} in ${path.basename(file)}: there is nothing to reproduce`);
  }
  const { make } = await scriptsOf(record);
  const repro = make(result);
  if (flags.markdown === true) {
    process.stdout.write(await issueOfFailure(record, result, { rule, ...repro }));
    return exitStatus.kept;
  }
  if ('reason' in repro) {
    say(visibleLine(`No script can reproduce ${result.rule} in API ${result.api}: ${repro.reason}.`));
    return exitStatus.inconclusive;
  }
  process.stdout.write(repro.script);
  return exitStatus.kept;
}
