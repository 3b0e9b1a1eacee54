import { grouped } from '../grouped.ts';
import { type ComparedCause, isSplit } from './causes.ts';

/** The causes that the same reports have and the same others do not: what fails in A and passes in B. */
export interface Split {
  /** Indexes of the reports that have them, and of those that keep their rules. */
  readonly fails: readonly number[];
  readonly passes: readonly number[];
  readonly causes: readonly ComparedCause[];
}

/** What fails in some reports and passes in others, the largest difference first; causes keep their order. */
export function splitsOf(causes: readonly ComparedCause[]): Split[] {
  const alike = grouped(causes.filter(isSplit), ({ reports }) =>
    reports.map((state) => (state === 'has' || state === 'keeps' ? state : '')).join(),
  );
  return [...alike.values()]
    .map((own) => {
      const states = own[0]?.reports ?? [];
      const placesOf = (wanted: string) => states.flatMap((state, place) => (state === wanted ? [place] : []));
      return { fails: placesOf('has'), passes: placesOf('keeps'), causes: own };
    })
    .toSorted((a, b) => b.causes.length - a.causes.length);
}
