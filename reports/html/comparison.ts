import { isSplit } from '../compare/causes.ts';
import type { Comparison } from '../compare/compare.ts';
import { splitsOf } from '../compare/splits.ts';
import { changeTitles, countInWords, isAlike } from '../compare/words.ts';
import { escaped, link } from '../contract/markup.ts';
import { percentOf } from '../standing.ts';
import { dataBlock, embed, pagePieces } from './page.ts';

/** What a site has of a report beside the comparison; the addresses are those that the comparison's page links to. */
export interface ReportPage {
  readonly page: string;
  readonly badge: string;
  /** The badge itself, as SVG: the comparison shows it without loading anything. */
  readonly picture: string;
}

/** The site that a comparison is the first page of. */
export interface SiteOfComparison {
  /** By the place of the report. */
  readonly pages: readonly ReportPage[];
  readonly links: readonly { readonly href: string; readonly says: string }[];
}

/**
 * A comparison as one self-contained page.
 * @param site without it the page has no links to reports
 */
export function comparisonPage(comparison: Comparison, site?: SiteOfComparison): AsyncIterable<string> {
  // `client/comparison.js` reads it.
  const data = {
    ...comparison,
    says: countInWords(comparison),
    changeTitles,
    reports: comparison.reports.map((report) => ({
      ...report,
      percent: percentOf(report.standing.kept, report.standing.judged),
    })),
    splits: splitsOf(comparison.causes),
    common: comparison.causes.filter((cause) => !isSplit(cause)),
    rules: comparison.rules.map((row) => ({ ...row, alike: isAlike(row) })),
    ...(site && { pages: site.pages }),
  };
  return pagePieces('comparison', {
    links: () => (site ? [linksOf(site)] : []),
    comparison: () => [dataBlock('comparison'), embed(data), '</script>'],
  });
}

function linksOf({ links }: SiteOfComparison): string {
  return `<nav class="also" aria-label="The site">Also here: ${links.map(({ href, says }) => link(href, escaped(says))).join(', ')}.</nav>\n`;
}
