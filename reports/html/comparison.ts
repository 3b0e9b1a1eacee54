import type { Comparison } from '../compare/compare.ts';
import { changeTitles, countInWords, isAlike } from '../compare/words.ts';
import { dataBlock, embed, pagePieces } from './page.ts';

/**
 * A comparison as one self-contained page.
 * @param pages the addresses of the reports' own pages, by the place of the report
 */
export function comparisonPage(comparison: Comparison, pages?: readonly string[]): AsyncIterable<string> {
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
