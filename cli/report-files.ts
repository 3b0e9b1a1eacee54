import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { RunHandler } from '../harness/events.ts';
import { UsageError } from '../harness/usage-error.ts';
import { htmlReport } from '../reports/html/report.ts';
import { jsonReport } from '../reports/json.ts';
import { junitReport } from '../reports/junit.ts';

export interface ReportFiles {
  readonly directory: string;
  readonly json: string;
  readonly handlers: readonly RunHandler[];
  /** What could not be written, once the run has ended. */
  readonly problems: readonly string[];
}

/**
 * The report files of a run. One that cannot be written does not keep the others from being written.
 * @throws UsageError when the directory cannot be made
 */
export function reportFiles(directory: string): ReportFiles {
  const absolute = path.resolve(directory);
  try {
    mkdirSync(absolute, { recursive: true });
  } catch (error) {
    throw new UsageError(`the reports cannot be written there (--report): ${reasonOf(error)}`);
  }
  const problems: string[] = [];
  const written = (name: string, report: (file: string) => RunHandler): RunHandler => {
    const handler = report(path.join(absolute, name));
    return async (event) => {
      try {
        await handler(event);
      } catch (error) {
        problems.push(`${name} could not be written: ${reasonOf(error)}`);
      }
    };
  };
  return {
    directory: absolute,
    json: path.join(absolute, 'report.json'),
    problems,
    handlers: [
      written('report.json', jsonReport),
      written('junit.xml', (file) => junitReport(file)),
      written('index.html', (file) => htmlReport(file)),
    ],
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
