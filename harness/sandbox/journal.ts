import { appendFileSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type ProcessIdentity, thisProcess } from './process-identity.ts';

/** What the suite can make on a daemon. */
export type ResourceKind = 'container' | 'image' | 'volume' | 'network';

const kinds: readonly ResourceKind[] = ['container', 'image', 'volume', 'network'];

export interface JournalEntry {
  readonly kind: ResourceKind;
  readonly name: string;
  /** The daemon chose the name, and it did not exist before the run. */
  readonly isNew?: boolean;
  /** The daemon had nothing of this name any more when its check was over. */
  readonly gone?: true;
}

/** The owner of a journal: the first line of its file. */
export interface JournalHead {
  readonly run: string;
  readonly address: string;
  /** The run's directory for recorded exchanges. */
  readonly directory: string;
  readonly process: ProcessIdentity;
}

/**
 * The list of what a run makes on a daemon. Every name is written before the thing is made, so that `clean` can finish
 * what a killed run left, and once more when the thing is gone. One file per run, deleted when the run has removed
 * everything.
 */
export class Journal {
  readonly run: string;
  readonly #file: string;
  /** Open from the first entry on. What a worker thread has opened, Node closes when the thread ends. */
  #descriptor: number | undefined;

  /** The journal of a run, writable by any thread of its process. */
  constructor(directory: string, run: string) {
    this.run = run;
    this.#file = path.join(directory, `${run}.ndjson`);
  }

  /** Starts the file with what `clean` has to know about the run. */
  begin({ address, directory }: Pick<JournalHead, 'address' | 'directory'>): void {
    mkdirSync(path.dirname(this.#file), { recursive: true });
    const head: JournalHead = { run: this.run, address, directory, process: thisProcess() };
    this.#append(head);
  }

  /** @throws when the journal cannot be written: then nothing must be made */
  write(entry: JournalEntry): void {
    this.#append(entry);
  }

  /** The daemon has nothing of these names any more. */
  gone(entries: readonly JournalEntry[]): void {
    if (entries.length > 0) this.#append(...entries.map(({ kind, name }) => ({ kind, name, gone: true })));
  }

  /** What was written so far, by any thread. */
  entries(): readonly JournalEntry[] {
    return readJournal(this.#file)?.entries ?? [];
  }

  remove(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.#file, { force: true });
  }

  #append(...lines: readonly object[]): void {
    this.#descriptor ??= openSync(this.#file, 'a');
    appendFileSync(this.#descriptor, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}

/** Where journals are kept: the user's state directory. */
export function journalDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const state = env.XDG_STATE_HOME ?? path.join(homedir(), '.local', 'state');
  return path.join(state, 'engine-conformance', 'journals');
}

export interface JournalRecord extends JournalHead {
  readonly file: string;
  readonly entries: readonly JournalEntry[];
}

/** The journals of runs that are active or were interrupted. */
export function readJournals(directory: string): JournalRecord[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return []; // No run has kept a journal here yet.
  }
  return names
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readJournal(path.join(directory, name)) ?? []);
}

function readJournal(file: string): JournalRecord | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined; // Its run has just ended and removed it.
  }
  const [first, ...lines] = text.split('\n').flatMap(parseLine);
  const head = first && readHead(first);
  if (!head) return undefined;
  const entries = new Map<string, JournalEntry>();
  for (const { kind, name, isNew, gone } of lines) {
    const known = kinds.find((one) => one === kind);
    if (!known || typeof name !== 'string') continue;
    entries.set(`${kind} ${name}`, {
      kind: known,
      name,
      ...(isNew === true && { isNew }),
      ...(gone === true && { gone }),
    });
  }
  return { file, ...head, entries: [...entries.values()] };
}

type Line = Readonly<Record<string, unknown>>;

function readHead({ run, address, directory, process }: Line): JournalHead | undefined {
  // The run's id decides what may be removed, so its form is checked.
  if (typeof run !== 'string' || !/^[a-z0-9]{8,}$/.test(run)) return undefined;
  if (typeof address !== 'string' || typeof directory !== 'string' || !isObject(process)) return undefined;
  const { host, pid, started } = process;
  if (typeof host !== 'string' || typeof pid !== 'number' || typeof started !== 'string') return undefined;
  return { run, address, directory, process: { host, pid, started } };
}

/** A line as written by a journal; one truncated by a crash is skipped. */
function parseLine(line: string): Line[] {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? [value] : [];
  } catch {
    return [];
  }
}

function isObject(value: unknown): value is Line {
  return typeof value === 'object' && value !== null;
}
