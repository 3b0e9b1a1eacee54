import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { serverError } from '../../errors.ts';
import { type FsNode, newDirectory, newMeta } from '../../process/file-system.ts';
import { errno, FsError } from '../../process/fs-error.ts';
import type { MountSource } from '../../process/mounts.ts';

/**
 * The files at a path of the engine's machine, with the permissions of the engine's process. Links below it are
 * resolved inside the container.
 */
export function hostSource(source: string): MountSource {
  const at = (parts: readonly string[]) => path.join(realPath(source), ...parts);
  return {
    get: (parts) => orError(() => read(at(parts))),
    set: (parts, node) => orError(() => write(at(parts), node)),
    delete: (parts) => orError(() => remove(at(parts))),
  };
}

/** Makes the directory of a bind when it is missing, inside one that exists. Throws 500 when it cannot. */
export function ensureHostPath(source: string): void {
  try {
    if (!statOf(realPath(source))) mkdirSync(source);
  } catch (error) {
    throw serverError(`cannot bind ${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The source with its links resolved on the host; unchanged when it does not exist. */
function realPath(source: string): string {
  return statOf(source) ? realpathSync(source) : source;
}

/** Runs `action`; a system error becomes the same error of the simulated process. */
function orError<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const number = error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
    throw number < 0 ? new FsError(-number) : error;
  }
}

function read(file: string): FsNode | undefined {
  const stat = statOf(file);
  if (!stat) return undefined;
  const meta = newMeta(stat.mode & 0o7777, stat.uid, stat.gid, stat.mtimeMs);
  if (stat.isSymbolicLink()) return { kind: 'link', meta, target: readlinkSync(file) };
  if (stat.isDirectory()) {
    // The contents of the entries are requested by their own paths.
    const children = new Map(readdirSync(file).map((name) => [name, newDirectory()] as const));
    return { kind: 'directory', meta, children };
  }
  if (stat.isFile()) return { kind: 'file', meta, data: readFileSync(file) };
  return { kind: 'device', meta, type: stat.isBlockDevice() ? 'block' : stat.isFIFO() ? 'fifo' : 'character' };
}

function write(file: string, node: FsNode): void {
  const before = statOf(file);
  if (node.kind === 'directory') {
    if (!before) mkdirSync(file);
    if (!before || (before.mode & 0o7777) !== node.meta.mode) chmodSync(file, node.meta.mode);
  } else if (node.kind === 'link') {
    if (before) unlinkSync(file);
    symlinkSync(node.target, file);
  } else if (node.kind === 'file') {
    writeFileSync(file, node.data);
    if (!before || (before.mode & 0o7777) !== node.meta.mode) chmodSync(file, node.meta.mode);
  } else {
    throw new FsError(errno.EPERM);
  }
}

/** Removes a file, or a directory with everything in it. */
function remove(file: string): void {
  if (statOf(file)?.isDirectory()) {
    for (const name of readdirSync(file)) remove(path.join(file, name));
    rmdirSync(file);
  } else unlinkSync(file);
}

function statOf(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}
