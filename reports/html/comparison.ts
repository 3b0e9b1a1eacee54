import type { Comparison } from '../compare/compare.ts';
import { escaped, link } from '../contract/markup.ts';
import { comparisonData, type ReportPage } from './comparison-data.ts';
import { jsonBlock, pagePieces } from './page.ts';

/** The site whose first page is the comparison. */
export interface SiteOfComparison {
  /** By report index. */
  readonly pages: readonly ReportPage[];
  readonly links: readonly { readonly href: string; readonly says: string }[];
}

/**
 * A comparison as one self-contained page.
 * @param site absent: the page does not link to reports
 */
export function comparisonPage(comparison: Comparison, site?: SiteOfComparison): AsyncIterable<string> {
  return pagePieces('comparison', {
    links: () => (site ? [linksOf(site)] : []),
    comparison: () => jsonBlock('comparison', comparisonData(comparison, site?.pages)),
  });
}

function linksOf({ links }: SiteOfComparison): string {
  return `<nav class="also" aria-label="The site">Also here: ${links.map(({ href, says }) => link(href, escaped(says))).join(', ')}.</nav>\n`;
}
