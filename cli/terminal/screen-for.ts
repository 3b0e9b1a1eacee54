import type { Lines, Screen } from './screen.ts';

const plainEveryMs = 15_000;
const longestLine = 1_000;

/**
 * A terminal, where progress is redrawn, or a plain stream (CI, a file), which gets a line now and then if it changed.
 */
export async function screenFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Promise<Screen> {
  if (!stream.isTTY || env.CI || env.TERM === 'dumb') return plainScreen(stream);
  // What it takes to measure text on a terminal is loaded where there is one.
  return (await import('./live-screen.ts')).liveScreen(stream);
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
