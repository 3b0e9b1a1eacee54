/** The label that marks everything a run makes; its value is the run's id. */
export const runLabel = 'com.engine-conformance.run';

/** The prefix of every name that a run gives. */
export function prefixOf(run: string): string {
  return `ec-${run}-`;
}
