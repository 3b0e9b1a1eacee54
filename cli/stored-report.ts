import { statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../harness/usage-error.ts';
import { ReportProblem, readReport } from '../reports/stored/read.ts';
import type { StoredReport } from '../reports/stored/stored-report.ts';

/** The file that is meant by a name: a directory stands for the report in it. */
export function reportFile(name: string): string {
  const isDirectory = statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isDirectory ? path.join(name, 'report.json') : name;
}

/**
 * A report that a command works with.
 * @throws UsageError when it is not there, is no report, or is not as the run wrote it
 */
export async function givenReport(name: string): Promise<{ readonly file: string; readonly report: StoredReport }> {
  const file = reportFile(name);
  try {
    return { file, report: await readReport(file) };
  } catch (error) {
    if (error instanceof ReportProblem) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
