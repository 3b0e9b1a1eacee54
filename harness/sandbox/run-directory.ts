import { lstatSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const prefix = 'engine-conformance-';

/** Makes the directory for a run's recorded exchanges, which lasts until its reports are written. */
export function makeRunDirectory(): string {
  return mkdtempSync(path.join(tmpdir(), prefix));
}

/** The file for the recorded exchanges, one JSON text per line. */
export function spillFileIn(directory: string): string {
  return path.join(directory, 'exchanges.ndjson');
}

/**
 * Removes a run's directory. Its path may come from a journal, so only the one file that a run writes is removed, and
 * then the directory if it is empty, belongs to this user, and is named like one.
 * @returns whether it existed and is gone now
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
    return false; // It is already gone, or contains something else.
  }
}
