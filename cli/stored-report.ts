import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../harness/usage-error.ts';
import { ReportProblem, readReport } from '../reports/stored/read.ts';
import type { StoredReport } from '../reports/stored/stored-report.ts';

/** The file with this name; for a directory the report in it, which may be compressed. */
export function reportFile(name: string): string {
  if (!isDirectory(name)) return name;
  const plain = path.join(name, 'report.json');
  const compressed = `${plain}.gz`;
  return !existsSync(plain) && existsSync(compressed) ? compressed : plain;
}

/** The reports with this name; for a folder without a report of its own, those in the folders inside it. */
export function reportsIn(name: string): string[] {
  if (!isDirectory(name) || existsSync(reportFile(name))) return [name];
  const inside = readdirSync(name, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = inside.map((entry) => path.join(name, entry.name)).flatMap(reportsIn);
  const reports = found.filter((one) => existsSync(reportFile(one)));
  return reports.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

function isDirectory(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * A report for a command.
 * @throws UsageError when it is missing, is not a report, or was edited
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
