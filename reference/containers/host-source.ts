import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type FsNode, newDirectory, newFile, newMeta, segments, type Tree } from '../process/file-system.ts';
import { type MountSource, subtree } from '../process/mounts.ts';

/**
 * The files of a path of the host. A path that exists on the machine that the engine runs on passes through to it, with
 * the rights of the engine's process; any other is a part of the simulated host.
 */
export function hostSource(simulated: Tree, source: string): MountSource {
  return statOf(source) ? machineSource(source) : subtree(simulated, segments(source));
}

function machineSource(base: string): MountSource {
  const at = (parts: readonly string[]) => path.join(base, ...parts);
  return {
    get: (parts) => read(at(parts)),
    set: (parts, node) => {
      if (node.kind === 'directory') mkdirSync(at(parts), { recursive: true });
      else if (node.kind === 'file') writeFileSync(at(parts), node.data, { mode: node.meta.mode });
    },
    delete: (parts) => rmSync(at(parts), { recursive: true }),
  };
}

function read(file: string): FsNode | undefined {
  const stat = statOf(file);
  if (!stat) return undefined;
  const { uid, gid, mtimeMs } = stat;
  const meta = newMeta(stat.mode & 0o7777, uid, gid, mtimeMs);
  if (stat.isSymbolicLink()) return { kind: 'link', meta, target: readlinkSync(file) };
  if (stat.isDirectory()) {
    // What is in the entries is asked for by their own paths.
    const children = new Map(readdirSync(file).map((name) => [name, newFile('')] as const));
    return { ...newDirectory(), meta, children };
  }
  if (stat.isFile()) return { kind: 'file', meta, data: readFileSync(file) };
  return { kind: 'device', meta, type: stat.isBlockDevice() ? 'block' : stat.isFIFO() ? 'fifo' : 'character' };
}

function statOf(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}
