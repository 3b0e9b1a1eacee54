import type { RunHandler } from '../../harness/events.ts';

/** Writes each event of the run as one line of JSON. Exchanges are in the report files. */
export function ndjsonReport(write: (text: string) => void): RunHandler {
  return (event) => {
    // Functions, the ways to read exchanges back, are no JSON and left out by it.
    write(`${JSON.stringify(event)}\n`);
  };
}
