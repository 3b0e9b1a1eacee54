import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rule } from '../../specs/rule.ts';
import { badge, badgeReport } from '../badge.ts';
import { contractFolder } from '../contract/addresses.ts';
import { writeContract } from '../contract/pages.ts';
import { comparisonPage, type ReportPage } from '../html/comparison.ts';
import { htmlReport } from '../html/report.ts';
import { markdownReport } from '../markdown.ts';
import { eventsOf, recordOf, type StoredReport } from '../stored/stored-report.ts';
import { writeAtomically } from '../write.ts';
import type { Comparison } from './compare.ts';
import { comparisonMarkdown } from './markdown.ts';
import { directoryName } from './names.ts';

/** A report with the file that it was read from. */
export interface GivenReport {
  readonly file: string;
  readonly report: StoredReport;
}

/** Writes a comparison as `comparison.json`, `comparison.md` and `comparison.html`. */
export async function writeComparison(directory: string, comparison: Comparison): Promise<void> {
  await writeData(directory, comparison);
  await writeAtomically(join(directory, 'comparison.html'), comparisonPage(comparison));
}

/**
 * Writes a static site that can be published as it is: the comparison as its first page and as data, and for each
 * report a directory with its page, its data, a summary and a badge.
 */
export async function writeSite(
  directory: string,
  comparison: Comparison,
  given: readonly GivenReport[],
  rules: readonly Rule[],
): Promise<void> {
  const taken = new Set<string>();
  const pages: ReportPage[] = [];
  for (const [place, { file, report }] of given.entries()) {
    const name = directoryName(comparison.reports[place]?.name ?? '', taken);
    taken.add(name);
    pages.push({
      page: `reports/${name}/index.html`,
      badge: `reports/${name}/badge.svg`,
      picture: badge(recordOf(report)),
    });
    await writeReport(join(directory, 'reports', name), file, report, rules);
  }
  await writeContract(join(directory, contractFolder));
  await writeData(directory, comparison);
  await writeAtomically(join(directory, 'index.html'), comparisonPage(comparison, pages));
}

async function writeData(directory: string, comparison: Comparison): Promise<void> {
  await writeAtomically(join(directory, 'comparison.json'), [comparisonJson(comparison)]);
  await writeAtomically(join(directory, 'comparison.md'), [comparisonMarkdown(comparison)]);
}

/** A comparison for programs. */
export function comparisonJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 1)}\n`;
}

async function writeReport(
  directory: string,
  file: string,
  report: StoredReport,
  rules: readonly Rule[],
): Promise<void> {
  await mkdir(directory, { recursive: true });
  await copyFile(file, join(directory, 'report.json'));
  const handlers = [
    htmlReport(join(directory, 'index.html'), rules, {
      site: '../../index.html',
      contract: `../../${contractFolder}`,
    }),
    markdownReport(join(directory, 'summary.md'), rules, `../../${contractFolder}`),
    badgeReport(join(directory, 'badge.svg')),
  ];
  for (const event of eventsOf(report)) for (const handler of handlers) await handler(event);
}
