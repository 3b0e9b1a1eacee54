import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../harness/usage-error.ts';
import { isScriptName } from '../reports/repro/script.ts';
import { thisTool } from './tool.ts';

/** Where the report of an earlier run waits until the next one has something to report. */
const aside = 'earlier';

/** Every report begins with the tool that wrote it, within this many bytes. */
const headBytes = 512;

/** The report of an earlier run in the same directory. */
export interface EarlierReport {
  /** Where it is; undefined where there is none, or no longer. */
  readonly directory: string | undefined;
  /** To be called when there is something else to report. */
  remove(): void;
}

/**
 * Moves the report of an earlier run aside, so that it is not taken for that of a run which ends before it has anything to
 * report, and is not lost by such a run either.
 * @param directory of the reports
 * @param names of the files and folders of a report in it; `report.json` is one of them
 * @param scripts the folder of a report's scripts in it
 * @throws UsageError where something with such a name is no part of a report: it is somebody's own
 */
export function setAside(directory: string, names: readonly string[], scripts: string): EarlierReport {
  const there = [...names, scripts].filter((name) => existsSync(path.join(directory, name)));
  const place = path.join(directory, aside);
  const foreign = foreignIn(directory, there, scripts);
  if (foreign !== undefined) {
    const why = `${directory} has ${foreign}, which is not of an earlier report`;
    throw new UsageError(`${why}; name another directory with --report`);
  }
  if (there.length > 0) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    for (const name of there) renameSync(path.join(directory, name), path.join(place, name));
  }
  let waiting = isReport(place) ? place : undefined;
  return {
    get directory() {
      return waiting;
    },
    remove: () => {
      if (waiting !== undefined) rmSync(waiting, { recursive: true, force: true });
      waiting = undefined;
    },
  };
}

/** What is in the way, and not of a report. */
function foreignIn(directory: string, there: readonly string[], scripts: string): string | undefined {
  if (there.length === 0) return undefined;
  const [first] = there;
  if (!isReport(directory)) return first;
  if (existsSync(path.join(directory, aside)) && !isReport(path.join(directory, aside))) return aside;
  if (!there.includes(scripts)) return undefined;
  const other = readdirSync(path.join(directory, scripts)).find((name) => !isScriptName(name));
  return other === undefined ? undefined : path.join(scripts, other);
}

/** Whether a directory has a report of this tool. */
function isReport(directory: string): boolean {
  const file = path.join(directory, 'report.json');
  if (!existsSync(file)) return false;
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    const length = readSync(descriptor, head, 0, headBytes, 0);
    return new RegExp(`"name":\\s*"${thisTool().name}"`).test(head.toString('utf8', 0, length));
  } finally {
    closeSync(descriptor);
  }
}
