/** An endpoint that a daemon does not serve. */
export interface Absence {
  /** Method and path, as the documents write them. */
  readonly endpoint: string;
  /** Status and what the daemon said, in one line that is the same in every run. */
  readonly said: string;
  /** The exchange that shows it. */
  readonly evidence: string;
}

/** What HTTP servers answer where there is nothing. The documents have only 404, for a thing that does not exist. */
const statuses: readonly number[] = [404, 405, 501];

/** Whether an answer with this status may show that an endpoint is not served. */
export function mayBeAbsent(status: number): boolean {
  return statuses.includes(status);
}

/** One line about an endpoint that is not served. */
export function absenceInWords({ endpoint, said }: Absence): string {
  return `${endpoint} is not served: ${said}`;
}
