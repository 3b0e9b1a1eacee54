import { closest } from 'fastest-levenshtein';

/** `; did you mean 'x'?` with the nearest of the known words, or nothing when there are none. */
export function didYouMean(word: string, known: readonly string[]): string {
  return known.length === 0 ? '' : `; did you mean '${closest(word, known)}'?`;
}
