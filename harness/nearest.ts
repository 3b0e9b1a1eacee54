import { closest, distance } from 'fastest-levenshtein';

/** Of a word, this part may be otherwise and it is still taken for a slip. */
const slip = 0.4;

/** `; did you mean 'x'?` with the nearest of the known words, or nothing when none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const nearest = closest(word, known);
  return distance(word, nearest) <= Math.max(2, word.length * slip) ? `; did you mean '${nearest}'?` : '';
}
