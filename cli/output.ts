import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { RunHandler } from '../harness/events.ts';
import type { FindCauses } from '../reports/causes/once.ts';
import type { Rule } from '../specs/rule.ts';
import { colorsFor } from './terminal/colors.ts';
import { ndjsonReport } from './terminal/ndjson.ts';
import { screenFor } from './terminal/screen-for.ts';
import { textReport } from './terminal/text.ts';

export interface OutputFlags {
  readonly format: 'text' | 'json' | 'ndjson';
  readonly quiet?: boolean;
}

/** What goes to standard output: text for people, or data. */
export interface Output {
  readonly handlers: readonly RunHandler[];
  /** Prints the report, if that is the format. */
  report(file: string): Promise<void>;
  /** The last line for people. */
  end(line: string): void;
}

/** @param rules the rules that are judged */
export async function outputOf(
  { format, quiet }: OutputFlags,
  rules: readonly Rule[],
  findCauses: FindCauses,
): Promise<Output> {
  const { stdout } = process;
  if (format === 'text') {
    const screen = await screenFor(stdout);
    const text = textReport({ screen, colors: colorsFor(stdout), rules, quiet: quiet === true, findCauses });
    return { handlers: [text], report: async () => {}, end: (line) => screen.write(line) };
  }
  return {
    handlers: format === 'ndjson' ? [ndjsonReport((line) => stdout.write(line))] : [],
    report: (file) => (format === 'json' ? printFile(file) : Promise.resolve()),
    end: () => {},
  };
}

/** Prints a line that is not part of the data. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function printFile(file: string): Promise<void> {
  if (!existsSync(file)) return;
  try {
    await pipeline(createReadStream(file), process.stdout, { end: false });
  } catch (error) {
    // Its reader has read enough, as in `| head`.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}
