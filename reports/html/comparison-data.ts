import { isSplit } from '../compare/causes.ts';
import type { Comparison } from '../compare/compare.ts';
import { leftOut } from '../compare/shared.ts';
import { splitsOf } from '../compare/splits.ts';
import { changeTitles, countInWords, isAlike } from '../compare/words.ts';
import { percentOf } from '../standing.ts';

/** The files of a report on a site, besides the comparison; the comparison's page links to these addresses. */
export interface ReportPage {
  readonly page: string;
  readonly badge: string;
  /** The badge itself, as SVG: the comparison shows it without loading anything. */
  readonly picture: string;
}

export type ComparisonData = ReturnType<typeof comparisonData>;

/**
 * The data for the page of a comparison.
 * @param pages the pages of the reports, by index; absent where there are none
 */
export function comparisonData(comparison: Comparison, pages?: readonly ReportPage[]) {
  return {
    ...comparison,
    says: countInWords(comparison),
    changeTitles,
    steps: comparison.steps.map((step) => ({ ...step, leftOut: leftOut(step, comparison) })),
    reports: comparison.reports.map((report) => ({
      ...report,
      percent: percentOf(report.standing.kept, report.standing.judged),
    })),
    splits: splitsOf(comparison.causes),
    common: comparison.causes.filter((cause) => !isSplit(cause)),
    rules: comparison.rules.map((row) => ({ ...row, alike: isAlike(row) })),
    ...(pages && { pages }),
  };
}
