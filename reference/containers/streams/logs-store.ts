import { now, timestamp } from '../../clock.ts';

/** One line, or a part of a line, that a container wrote. */
export interface LogEntry {
  readonly stream: 1 | 2;
  readonly time: bigint;
  readonly data: Buffer;
  /** Whether it begins a line; later parts of the same line do not. */
  readonly startsLine: boolean;
}

/** What a container wrote, line by line in the order of writing. */
export class LogStore {
  readonly #entries: LogEntry[] = [];
  readonly #midLine = { 1: false, 2: false };

  append(stream: 1 | 2, data: Buffer): LogEntry[] {
    const time = now();
    const added: LogEntry[] = [];
    for (let from = 0; from < data.length; ) {
      const newline = data.indexOf(0x0a, from);
      const end = newline < 0 ? data.length : newline + 1;
      const part = data.subarray(from, end);
      added.push({ stream, time, data: part, startsLine: !this.#midLine[stream] });
      this.#midLine[stream] = newline < 0;
      from = end;
    }
    for (const entry of added) this.#entries.push(entry);
    return added;
  }

  /** Notes that the process has ended: what comes next begins a line. */
  endLines(): void {
    this.#midLine[1] = false;
    this.#midLine[2] = false;
  }

  /** Entries of the chosen streams since a time; with `tail` only those of the last lines. */
  select(options: { stdout: boolean; stderr: boolean; since?: bigint; tail?: number | undefined }): LogEntry[] {
    const since = options.since ?? 0n;
    const isChosen = ({ stream, time }: LogEntry): boolean =>
      (stream === 1 ? options.stdout : options.stderr) && time >= since;
    const chosen = this.#entries.filter(isChosen);
    return options.tail === undefined ? chosen : lastLines(chosen, options.tail);
  }
}

function lastLines(entries: readonly LogEntry[], count: number): LogEntry[] {
  const wanted = new Set<LogEntry>();
  let lines = 0;
  // Parts of a line follow its start in their own stream, possibly with lines of the other stream in between.
  const open: Record<1 | 2, LogEntry[]> = { 1: [], 2: [] };
  for (let index = entries.length - 1; index >= 0 && lines < count; index -= 1) {
    const entry = entries[index];
    if (!entry) continue;
    open[entry.stream].push(entry);
    if (!entry.startsLine) continue;
    lines += 1;
    for (const part of open[entry.stream].splice(0)) wanted.add(part);
  }
  return entries.filter((entry) => wanted.has(entry));
}

/** An entry's bytes, preceded by its timestamp if requested. */
export function entryBytes(entry: LogEntry, timestamps: boolean): Buffer {
  if (!timestamps || !entry.startsLine) return entry.data;
  return Buffer.concat([Buffer.from(`${timestamp(entry.time)} `), entry.data]);
}
