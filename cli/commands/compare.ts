import { existsSync } from 'node:fs';
import { fingerprintOf } from '../../harness/baseline/fingerprint.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { compareReports } from '../../reports/compare/compare.ts';
import { comparisonMarkdown } from '../../reports/compare/markdown.ts';
import { isConclusive } from '../../reports/compare/shared.ts';
import { comparisonJson, type GivenReport, writeComparison, writeSite } from '../../reports/compare/site.ts';
import { allRules } from '../../specs/catalogue.ts';
import { exitStatus } from '../exit-status.ts';
import { knowledgeOf } from '../explain/knowledge.ts';
import { summarizeStep } from '../github.ts';
import { givenReport, reportsIn } from '../stored-report.ts';
import { thisTool } from '../tool.ts';

export interface CompareFlags {
  readonly failOn: 'must' | 'should';
  readonly format: 'markdown' | 'json';
  /** The directory for the comparison as files. */
  readonly out?: string;
  /** The directory for the comparison as a site. */
  readonly site?: string;
}

/** Compares reports and prints what differs. @returns the exit status: 1 for a regression, 4 if nothing was compared */
export async function compareCommand(names: readonly string[], flags: CompareFlags): Promise<number> {
  const named = names.map(nameAndFile).flatMap(({ name, file }) => {
    const files = reportsOf(file);
    return files.map((one) => ({ file: one, ...(name !== undefined && files.length === 1 && { name }) }));
  });
  if (named.length < 2) throw new UsageError('compare needs at least two reports');
  const given: GivenReport[] = [];
  for (const { file } of named) given.push(await givenReport(file));
  const twice = given.find((one, place) => given.findIndex((other) => isSame(one, other)) !== place);
  if (twice) throw new UsageError(`the report ${twice.file} is given twice`);
  const reports = given.map(({ report }) => report);
  const { failOn } = flags;
  const comparison = compareReports(reports, {
    ...{ failOn, fingerprintOf, tool: thisTool(), rules: allRules },
    names: named.map((one) => one.name),
  });
  if (flags.out !== undefined) await writeComparison(flags.out, comparison);
  if (flags.site !== undefined)
    await writeSite(flags.site, comparison, given, { failOn, fingerprintOf, rules: allRules, knowRule: knowledgeOf });
  const markdown = comparisonMarkdown(comparison);
  process.stdout.write(flags.format === 'json' ? comparisonJson(comparison) : markdown);
  await summarizeStep(markdown, (line) => process.stderr.write(`${line}\n`));
  if (comparison.regressions > 0) return exitStatus.deviates;
  return isConclusive(comparison) ? exitStatus.kept : exitStatus.inconclusive;
}

/** A folder of reports has at least one. */
function reportsOf(file: string): string[] {
  const found = reportsIn(file);
  if (found.length === 0) throw new UsageError(`there is no report in ${file}`);
  return found;
}

/** `NAME=FILE`, or just a file. */
function nameAndFile(text: string): { readonly name?: string; readonly file: string } {
  const [, name, file] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  return name === undefined || file === undefined || existsSync(text) ? { file: text } : { name, file };
}

function isSame({ report }: GivenReport, other: GivenReport | undefined): boolean {
  return report.footer.digest === other?.report.footer.digest;
}
