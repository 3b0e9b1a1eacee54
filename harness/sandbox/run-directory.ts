import { lstatSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const prefix = 'engine-conformance-';

/** Makes the directory that holds a run's recorded exchanges until its reports are written. */
export function makeRunDirectory(): string {
  return mkdtempSync(path.join(tmpdir(), prefix));
}

/** The file that takes the recorded exchanges, one JSON text a line. */
export function spillFileIn(directory: string): string {
  return path.join(directory, 'exchanges.ndjson');
}

/**
 * Removes a run's directory. Its path may come from a journal, so nothing is removed but the one file that a run
 * writes, and then the directory if it is empty, is this user's, and has the name of one.
 * @returns whether it was there and is gone now
 */
export function removeRunDirectory(directory: string): boolean {
  if (!path.isAbsolute(directory) || !/^engine-conformance-\w{6}$/.test(path.basename(directory))) return false;
  try {
    const found = lstatSync(directory);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
    rmSync(spillFileIn(directory), { force: true });
    rmdirSync(directory);
    return true;
  } catch {
    return false; // It is gone already, or something else is in it.
  }
}
