import { createLogUpdate } from 'log-update';

/** Shows a run's progress: permanent lines, and a few that are redrawn. */
export interface Screen {
  /** Redrawn during the run; a log (CI, a file) keeps every line. */
  readonly isLive: boolean;
  /** Writes permanent text, one or more whole lines. */
  write(text: string): void;
  /** Shows the temporary lines. */
  show(lines: () => readonly string[]): void;
  /** Removes the temporary lines. */
  clear(): void;
}

const redrawMs = 100;
const clockMs = 1_000;
const plainEveryMs = 15_000;
const longestLine = 1_000;

/**
 * A terminal, where progress is redrawn, or a plain stream (CI, a file), which gets a line now and then if it changed.
 */
export function screenFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Screen {
  return stream.isTTY && !env.CI && env.TERM !== 'dumb' ? liveScreen(stream) : plainScreen(stream);
}

type Lines = () => readonly string[];

function liveScreen(stream: NodeJS.WriteStream): Screen {
  const log = createLogUpdate(stream);
  let lines: Lines | undefined;
  let drawn = 0;
  const draw = (atMost: number) => {
    if (!lines || Date.now() - drawn < atMost) return;
    drawn = Date.now();
    log(lines().join('\n'));
  };
  // The clock advances even if nothing comes from a slow target.
  const timer = setInterval(() => draw(redrawMs), clockMs).unref();
  return {
    isLive: true,
    write(text) {
      log.clear();
      stream.write(`${text}\n`);
      drawn = 0;
    },
    show(current) {
      lines = current;
      draw(redrawMs);
    },
    clear() {
      clearInterval(timer);
      log.clear();
      log.done();
    },
  };
}

function plainScreen(stream: NodeJS.WriteStream): Screen {
  let lines: Lines | undefined;
  let written: string | undefined;
  const timer = setInterval(() => {
    const [summary] = lines?.() ?? [];
    if (summary === undefined || summary === written) return;
    written = summary;
    stream.write(`${summary}\n`);
  }, plainEveryMs).unref();
  return {
    isLive: false,
    write(text) {
      stream.write(`${text.split('\n').map(shortened).join('\n')}\n`);
    },
    show(current) {
      lines = current;
    },
    clear() {
      clearInterval(timer);
    },
  };
}

/** Nobody reads lines of kilobytes in a log; the reports have the full text. */
export function shortened(line: string): string {
  const rest = line.length - longestLine;
  return rest > 0 ? `${line.slice(0, longestLine)}… (${rest} more characters are in the reports)` : line;
}
