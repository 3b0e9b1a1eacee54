import { closest, distance } from 'fastest-levenshtein';

/** A word may differ in this share of its letters and still count as a typo. */
const slip = 0.4;

/** `; did you mean 'x'?` with the nearest of the known words, or an empty text when none is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const nearest = closest(word, known);
  return distance(word, nearest) <= Math.max(2, word.length * slip) ? `; did you mean '${nearest}'?` : '';
}
