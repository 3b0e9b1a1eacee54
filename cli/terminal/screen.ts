/** The temporary lines as they are when they are drawn. */
export type Lines = () => readonly string[];

/** Shows a run's progress: permanent lines, and a few that are redrawn. */
export interface Screen {
  /** Redrawn during the run; a log (CI, a file) keeps every line. */
  readonly isLive: boolean;
  /** Writes permanent text, one or more whole lines. */
  write(text: string): void;
  /** Shows the temporary lines. */
  show(lines: Lines): void;
  /** Removes the temporary lines. */
  clear(): void;
}
