import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Rule } from '../../specs/rule.ts';
import { badge, badgeReport } from '../badge.ts';
import { causesOnce } from '../causes/once.ts';
import { contractFolder } from '../contract/addresses.ts';
import { writeContract } from '../contract/pages.ts';
import { comparisonPage } from '../html/comparison.ts';
import type { ReportPage } from '../html/comparison-data.ts';
import { htmlReport } from '../html/report.ts';
import { markdownReport } from '../markdown.ts';
import type { KnowRule } from '../rule-knowledge.ts';
import { eventsOf, recordOf, type StoredReport } from '../stored/stored-report.ts';
import { writeAtomically } from '../write.ts';
import type { Judging } from './change.ts';
import type { Comparison } from './compare.ts';
import { comparisonMarkdown } from './markdown.ts';
import { directoryName } from './names.ts';
import { trendsOf } from './trends.ts';
import { trendsPage } from './trends-page.ts';

const trendsFile = 'trends.html';

/** A report with the file that it was read from. */
export interface GivenReport {
  readonly file: string;
  readonly report: StoredReport;
}

/** Writes a comparison as `comparison.json`, `comparison.md` and `comparison.html`. */
export async function writeComparison(directory: string, comparison: Comparison): Promise<void> {
  await writeAtomically(join(directory, 'comparison.json'), [comparisonJson(comparison)]);
  await writeMarkdown(directory, comparison);
  await writeAtomically(join(directory, 'comparison.html'), comparisonPage(comparison));
}

/**
 * Writes a static site that is ready to publish: the comparison as its first page and as data, the trend of each engine
 * over its releases, the pages of the contract, and for each report a directory with its page, its data, a summary and
 * a badge. The data is compressed.
 */
export async function writeSite(
  directory: string,
  comparison: Comparison,
  given: readonly GivenReport[],
  { rules, knowRule, ...judging }: Judging & { readonly rules: readonly Rule[]; readonly knowRule?: KnowRule },
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
    await writeReport(join(directory, 'reports', name), { file, report }, rules, knowRule);
  }
  await writeContract(join(directory, contractFolder));
  const trends = trendsOf(
    given.map(({ report }) => report),
    judging,
  );
  if (trends.length > 0) await writeAtomically(join(directory, trendsFile), [trendsPage(trends, pages)]);
  await writeMarkdown(directory, comparison);
  await writeCompressed(join(directory, 'comparison.json.gz'), Readable.from([comparisonJson(comparison)]));
  const links = [
    ...(trends.length > 0 ? [{ href: trendsFile, says: 'engines over their releases' }] : []),
    { href: `${contractFolder}/index.html`, says: 'the contract' },
  ];
  await writeAtomically(join(directory, 'index.html'), comparisonPage(comparison, { pages, links }));
}

async function writeCompressed(file: string, data: Readable): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await pipeline(data, createGzip(), createWriteStream(file));
}

async function writeMarkdown(directory: string, comparison: Comparison): Promise<void> {
  await writeAtomically(join(directory, 'comparison.md'), [comparisonMarkdown(comparison)]);
}

/** A comparison for programs. */
export function comparisonJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 1)}\n`;
}

async function writeReport(
  directory: string,
  { file, report }: GivenReport,
  rules: readonly Rule[],
  knowRule: KnowRule | undefined,
): Promise<void> {
  const data = join(directory, 'report.json.gz');
  if (file.endsWith('.gz')) await mkdir(directory, { recursive: true }).then(() => copyFile(file, data));
  else await writeCompressed(data, createReadStream(file));
  const contract = `../../${contractFolder}`;
  const findCauses = causesOnce(rules);
  const handlers = [
    htmlReport(join(directory, 'index.html'), rules, {
      site: '../../index.html',
      ...{ contract, findCauses },
      ...(knowRule && { knowRule }),
    }),
    markdownReport(join(directory, 'summary.md'), rules, { contract, findCauses }),
    badgeReport(join(directory, 'badge.svg')),
  ];
  for (const event of eventsOf(report)) for (const handler of handlers) await handler(event);
}
