import { UsageError } from '../../harness/usage-error.ts';
import { catalogueOf } from '../../reports/catalogue.ts';
import { ReportProblem, readReport } from '../../reports/stored/read.ts';
import { recordOf, type StoredReport } from '../../reports/stored/stored-report.ts';
import { overall } from '../../reports/summary.ts';
import { targetName } from '../../reports/target-name.ts';
import { visibleLine } from '../../reports/visible.ts';
import { allRules } from '../../specs/catalogue.ts';
import { exitStatus } from '../exit-status.ts';
import { reportFile } from '../stored-report.ts';

/**
 * Checks that a report is complete and unedited, and says what it is about.
 * @returns the exit status: 1 for a report that was truncated or edited
 * @throws UsageError for a file that is not a report
 */
export async function verifyCommand(name: string): Promise<number> {
  const file = reportFile(name);
  let report: StoredReport;
  try {
    report = await readReport(file);
  } catch (error) {
    if (!(error instanceof ReportProblem)) throw error;
    if (error.kind !== 'damaged') throw new UsageError(error.message, { cause: error });
    process.stdout.write(`${visibleLine(error.message)}\n`);
    return exitStatus.deviates;
  }
  const lines = [`${file} is complete and unedited.`, ...descriptionOf(report)];
  process.stdout.write(`${lines.map(visibleLine).join('\n')}\n`);
  return exitStatus.kept;
}

function descriptionOf(report: StoredReport): string[] {
  const { tool, target, catalogue, footer, apis, seed, startedAt } = report;
  const isOurs = catalogue.digest === catalogueOf(allRules).digest;
  return [
    `target: ${targetName(target)} at ${target.address}, API ${apis.join(', ')}`,
    `judged: by ${tool.name} ${tool.version} from ${startedAt} to ${footer.endedAt}, seed ${seed}`,
    `catalogue: ${catalogue.rules} rules, ${catalogue.digest}, ${isOurs ? 'the same as in this kit' : 'not the one in this kit'}`,
    `content: ${footer.results} of ${report.total} verdicts, ${footer.exchanges} exchanges, ${footer.digest}`,
    `outcome: ${overall(recordOf(report)).says}`,
  ];
}
