import { fixture } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { saying } from '../../../harness/engine/output.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';
import { commonContainer, useCommon } from '../../support/common-containers.ts';
import { doneOnce } from '../../support/done-once.ts';
import { type Carried, carriedBy } from '../../support/streams/carried-text.ts';

/** A container that has written three lines to stdout and one to stderr, and ended. */
export const written = commonContainer(
  'a container that has written to its log',
  { run: ['out', 'one\\n', 'err', 'of stderr\\n', 'out', 'two\\nthree\\n'], state: 'exited' },
  'three',
);

/** Its log of stdout, asked for without anything else. */
export const logOfStdout = doneOnce(`the log of stdout of ${written.name}`, async (context) =>
  (await useCommon(context, written)).logs({ stdout: true }),
);

type Log = Carried & { readonly answer: Exchange };

/**
 * The log of a container without a terminal.
 * @param isWhole as `Container.logs` takes it
 * @throws Blocked when it is refused or cannot be read
 */
export async function logOf(
  container: Pick<Container, 'logs'>,
  query: Query,
  isWhole?: (log: Exchange) => boolean,
): Promise<Log> {
  const answer = await given(container.logs(query, isWhole), 200);
  return { answer, ...carriedBy(answer, answer.answer.body) };
}

/** A running container that has written two lines more than two seconds apart, the first of them in two parts. */
export const spacedLines = commonContainer(
  'a container that has written two lines some seconds apart',
  {
    run: ['out', 'ear', 'sleep', '200', 'out', 'ly\\n', 'sleep', '2200', 'out', 'late\\n', 'forever'],
    state: 'running',
  },
  'late',
);

/** Its log with times. */
export const timedLines = doneOnce(`the log with times of ${spacedLines.name}`, async (context) =>
  logOf(await useCommon(context, spacedLines), { stdout: true, timestamps: true }, saying('late')),
);

/** A second that lies between them, which tells them apart. */
export const betweenLines = fixture('the second between two lines of a log', async (context) => {
  const { stdout } = await timedLines(context);
  const late = momentOf(/^(.+) late$/m.exec(stdout)?.[1] ?? '');
  if (Number.isNaN(late)) throw new Blocked(`the log does not tell when a line was written: ${stdout}`);
  return Math.floor(late / 1_000);
});

/**
 * The time before a line of a log in milliseconds since 1970; NaN where it is none. Its format is left open, so it may be a
 * number of seconds, or of a smaller unit.
 */
export function momentOf(time: string): number {
  if (!/^\d+(\.\d+)?$/.test(time)) return Date.parse(time);
  let seconds = Number(time);
  // No unit makes a time of what is too large for a number.
  if (!Number.isFinite(seconds)) return Number.NaN;
  while (seconds > farFuture) seconds /= 1_000;
  return seconds * 1_000;
}

/** More seconds than have passed since 1970, and fewer milliseconds. */
const farFuture = 100_000_000_000;

/** Whether a log has these lines, each with a time before it. */
export function haveTimes(log: string, texts: readonly string[]): boolean {
  const lines = log.split('\n');
  return lines.length === texts.length + 1 && texts.every((text, place) => hasTime(lines[place] ?? '', text));
}

function hasTime(line: string, text: string): boolean {
  const time = line.slice(0, -text.length).trim();
  return line.endsWith(text) && !Number.isNaN(momentOf(time));
}
