import type { RunHandler } from '../../harness/events.ts';

/** Writes each event of the run as one line of JSON. Exchanges are in the report files. */
export function ndjsonReport(write: (text: string) => void): RunHandler {
  return (event) => {
    // JSON omits the functions that read exchanges back.
    write(`${JSON.stringify(event)}\n`);
  };
}
