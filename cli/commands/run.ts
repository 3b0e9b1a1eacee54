import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { RunHandler } from '../../harness/events.ts';
import { run } from '../../harness/runner/run.ts';
import { namedDialect } from '../../harness/target/dialect.ts';
import { visibleLine } from '../../reports/visible.ts';
import { type BaselineFlags, useBaseline } from '../baseline-option.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { reportFiles } from '../report-files.ts';
import { type ExchangeFlags, runOptions } from '../run-options.ts';
import { type SelectionFlags, select } from '../selection.ts';
import { tally } from '../tally.ts';
import { chooseTarget, meantRules, type TargetFlags } from '../target.ts';
import { colorsFor } from '../terminal/colors.ts';
import { ndjsonReport } from '../terminal/ndjson.ts';
import { screenFor } from '../terminal/screen.ts';
import { textReport } from '../terminal/text.ts';

export interface RunFlags extends TargetFlags, SelectionFlags, ExchangeFlags, BaselineFlags {
  readonly report: string;
  readonly failOn: 'must' | 'should';
  readonly format: 'text' | 'json' | 'ndjson';
  readonly quiet?: boolean;
  /** How often failures are run again. */
  readonly confirm?: number;
}

/** Judges a target and writes the reports. @returns the exit status */
export async function runCommand(flags: RunFlags): Promise<number> {
  // What is wrong with the command line is said before anything is started.
  const selection = meantRules(select(flags), flags);
  const baseline = useBaseline(flags);
  if (flags.dialect !== 'auto') namedDialect(flags.dialect);
  const files = reportFiles(flags.report);
  const output = stdoutOf(flags, selection.rules);
  const verdicts = tally();
  const handlers = baseline.over([verdicts.handler, ...output.handlers, ...files.handlers]);

  const interrupt = watchInterrupt(() => say('interrupted: removing what was made; once more to end at once'));
  const target = await chooseTarget(flags, flags.dialect, flags.corsOrigin);
  try {
    const confirm = flags.confirm === undefined ? undefined : { rounds: flags.confirm, which: baseline.isNew };
    await run(
      runOptions(target, selection, flags, handlers, {
        signal: interrupt.signal,
        known: baseline.known,
        ...(confirm && { confirm }),
      }),
    );
  } finally {
    await target.close();
    interrupt.stop();
  }

  const known = baseline.finish();
  if (flags.format === 'json') await printFile(files.json);
  for (const line of [...known.lines, ...files.problems]) say(visibleLine(line));
  output.end(`Reports: ${files.directory}`);
  if (interrupt.status !== undefined) return interrupt.status;
  if (files.problems.length > 0) return exitStatus.failed;
  const status = verdicts.status(flags.failOn);
  // What deviates is in the baseline from now on.
  if (known.written && status === exitStatus.deviates) return exitStatus.kept;
  const good = status === exitStatus.kept || status === exitStatus.inconclusive;
  return good && !known.holds ? exitStatus.deviates : status;
}

interface Output {
  readonly handlers: readonly RunHandler[];
  /** The last line for people. */
  end(line: string): void;
}

/** Standard output holds either text for people or data. */
function stdoutOf({ format, quiet }: RunFlags, rules: Parameters<typeof textReport>[0]['rules']): Output {
  const { stdout } = process;
  if (format === 'text') {
    const screen = screenFor(stdout);
    const text = textReport({ screen, colors: colorsFor(stdout), rules, quiet: quiet === true });
    return { handlers: [text], end: (line) => screen.write(line) };
  }
  const data = format === 'ndjson' ? [ndjsonReport((line) => stdout.write(line))] : [];
  return { handlers: data, end: () => {} };
}

async function printFile(file: string): Promise<void> {
  if (existsSync(file)) await pipeline(createReadStream(file), process.stdout, { end: false });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
