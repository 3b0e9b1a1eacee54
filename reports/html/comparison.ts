import type { Comparison } from '../compare/compare.ts';
import { changeTitles, countInWords, isAlike } from '../compare/words.ts';
import { dataBlock, embed, pagePieces } from './page.ts';

/** What a site has of a report beside the comparison; the addresses are those that the comparison's page links to. */
export interface ReportPage {
  readonly page: string;
  readonly badge: string;
  /** The badge itself, as SVG: the comparison shows it without loading anything. */
  readonly picture: string;
}

/**
 * A comparison as one self-contained page.
 * @param pages by the place of the report; without them the page has no links to reports
 */
export function comparisonPage(comparison: Comparison, pages?: readonly ReportPage[]): AsyncIterable<string> {
  // `client/comparison.js` reads it.
  const data = {
    ...comparison,
    says: countInWords(comparison),
    changeTitles,
    rules: comparison.rules.map((row) => ({ ...row, alike: isAlike(row) })),
    ...(pages && { pages }),
  };
  return pagePieces('comparison', {
    comparison: () => [dataBlock('comparison'), embed(data), '</script>'],
  });
}
