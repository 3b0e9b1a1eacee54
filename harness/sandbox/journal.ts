import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** What the suite can make on a daemon. */
export type ResourceKind = 'container' | 'image' | 'volume' | 'network';

const kinds: readonly ResourceKind[] = ['container', 'image', 'volume', 'network'];

export interface JournalEntry {
  readonly kind: ResourceKind;
  readonly name: string;
}

/**
 * The list of what a run makes on a daemon. Every name is written before the thing is made, so that `clean` can finish
 * what a killed run left. One file per run, deleted when the run has removed everything.
 */
export class Journal {
  readonly run: string;
  readonly #file: string;

  constructor(directory: string, run: string, address: string) {
    mkdirSync(directory, { recursive: true });
    this.run = run;
    this.#file = path.join(directory, `${run}.ndjson`);
    this.#append({ run, address });
  }

  /** @throws when the journal cannot be written: nothing may then be made */
  write(entry: JournalEntry): void {
    this.#append(entry);
  }

  /** The entries written so far, by whatever process. */
  entries(): readonly JournalEntry[] {
    return readJournal(this.#file)?.entries ?? [];
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }

  #append(line: object): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** Where journals are kept: the user's state directory. */
export function journalDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const state = env.XDG_STATE_HOME ?? path.join(homedir(), '.local', 'state');
  return path.join(state, 'engine-conformance', 'journals');
}

export interface JournalRecord {
  readonly file: string;
  readonly run: string;
  readonly address: string;
  readonly entries: readonly JournalEntry[];
}

/** The journals that interrupted runs left. */
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
  const [head, ...lines] = readFileSync(file, 'utf8').split('\n').flatMap(parseLine);
  if (!head || typeof head.run !== 'string' || typeof head.address !== 'string') return undefined;
  const entries = lines.flatMap(({ kind, name }) => {
    const known = kinds.find((one) => one === kind);
    return known && typeof name === 'string' ? [{ kind: known, name }] : [];
  });
  return { file, run: head.run, address: head.address, entries };
}

/** A line as written by a journal; one that a crash cut off is passed over. */
function parseLine(line: string): { run?: unknown; address?: unknown; kind?: unknown; name?: unknown }[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? [value] : [];
  } catch {
    return [];
  }
}
