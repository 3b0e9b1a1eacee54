import { type FsNode, newDirectory, newMeta, nodeSize, statMode, treeSize } from './file-system.ts';
import { errno, FsError } from './fs-error.ts';
import type { MountedPath } from './mounts.ts';
import type { Process } from './process.ts';
import { type ProbeStep, textBytes } from './step.ts';

function find(process: Process, path: string, follow = true): MountedPath {
  const enter = (directory: FsNode): void => allow(process, directory, 1);
  return process.options.view.find(path, process.options.cwd, follow, enter);
}

function existing(process: Process, path: string, follow = true): FsNode {
  const { node } = find(process, path, follow);
  if (!node) throw new FsError(errno.ENOENT);
  return node;
}

/** Throws unless the process has the permission in `bit` (4 read, 2 write, 1 enter). */
function allow(process: Process, { meta }: FsNode, bit: 1 | 2 | 4): void {
  const { uid, gid, groups } = process.options.credentials;
  if (uid === 0) return;
  const shift = meta.uid === uid ? 6 : meta.gid === gid || groups.includes(meta.gid) ? 3 : 0;
  if (!((meta.mode >> shift) & bit)) throw new FsError(errno.EACCES);
}

/** The place of a file to change, if its file system and directory permit it. */
function changeable(process: Process, path: string, follow: boolean): MountedPath {
  const place = find(process, path, follow);
  const isMountPoint = place.inner.length === 0;
  if (!place.node || !isMountPoint) {
    const parent = find(process, `/${place.path.slice(0, -1).join('/')}`).node;
    if (!parent) throw new FsError(errno.ENOENT);
    if (parent.kind !== 'directory') throw new FsError(errno.ENOTDIR);
    refuseReadOnly(place);
    if (!place.node || !follow) allow(process, parent, 2);
  } else refuseReadOnly(place);
  return place;
}

function refuseReadOnly({ mount, node }: MountedPath): void {
  if (mount.readOnly) throw new FsError(errno.EROFS);
  // The kernel's own files can be neither created nor changed.
  if (!mount.source.set) throw new FsError(node ? errno.EACCES : errno.ENOENT);
}

/** Throws when a file of that size does not fit into its file system. */
function refuseOverflow({ mount, node }: MountedPath, size: number): void {
  if (mount.capacity === undefined) return;
  const root = mount.source.get([]);
  const others = (root ? treeSize(root) : 0) - (node ? treeSize(node) : 0);
  if (others + size > mount.capacity) throw new FsError(errno.ENOSPC);
}

function put(process: Process, path: string, added: Buffer, append: boolean): void {
  const place = changeable(process, path, true);
  const { node, mount, inner } = place;
  if (node?.kind === 'directory') throw new FsError(errno.EISDIR);
  if (node?.kind === 'device') {
    if (node.isFull) throw new FsError(errno.ENOSPC);
    return;
  }
  if (node) allow(process, node, 2);
  const before = node?.kind === 'file' && append ? node.data : Buffer.alloc(0);
  const data = Buffer.concat([before, added]);
  refuseOverflow(place, data.length);
  const { uid, gid } = process.options.credentials;
  const meta = node ? { ...node.meta, mtime: Date.now() } : newMeta(0o644, uid, gid);
  mount.source.set?.(inner, { kind: 'file', meta, data });
}

function make(process: Process, path: string, node: FsNode): void {
  const place = find(process, path, false);
  if (place.node) throw new FsError(errno.EEXIST);
  const { mount, inner } = changeable(process, path, false);
  mount.source.set?.(inner, node);
}

/** The errors that mean that a file does not exist. */
const missing: ReadonlySet<number> = new Set([errno.ENOENT, errno.ENOTDIR]);

/** The probe's steps that work on files. */
export const fileSteps: Readonly<Record<string, ProbeStep>> = {
  read: {
    arity: 1,
    run: async (process, [path = '']) => {
      const node = existing(process, path);
      allow(process, node, 4);
      if (node.kind === 'directory') throw new FsError(errno.EISDIR);
      if (node.kind !== 'file') return;
      for (let at = 0; at < node.data.length; at += 65_536) await process.write(1, node.data.subarray(at, at + 65_536));
    },
  },
  write: { arity: 2, run: (process, [path = '', text = '']) => put(process, path, textBytes(text), false) },
  append: { arity: 2, run: (process, [path = '', text = '']) => put(process, path, textBytes(text), true) },
  mkdir: {
    arity: 1,
    run: (process, [path = '']) => {
      const { uid, gid } = process.options.credentials;
      make(process, path, newDirectory(0o755, uid, gid));
    },
  },
  symlink: {
    arity: 2,
    run: (process, [target = '', path = '']) => {
      const { uid, gid } = process.options.credentials;
      make(process, path, { kind: 'link', meta: newMeta(0o777, uid, gid), target });
    },
  },
  list: {
    arity: 1,
    run: async (process, [path = '']) => {
      const place = find(process, path);
      if (!place.node) throw new FsError(errno.ENOENT);
      if (place.node.kind !== 'directory') throw new FsError(errno.ENOTDIR);
      allow(process, place.node, 4);
      const names = new Set([...place.node.children.keys(), ...process.options.view.mountedBelow(place.path)]);
      await process.write(1, Buffer.from([...names].map((name) => `${name}\n`).join('')));
    },
  },
  remove: {
    arity: 1,
    run: (process, [path = '']) => {
      const { node } = find(process, path, false);
      if (!node) throw new FsError(errno.ENOENT);
      const { mount, inner } = changeable(process, path, false);
      if (inner.length === 0) throw new FsError(errno.EBUSY);
      if (node.kind === 'directory' && node.children.size > 0) throw new FsError(errno.ENOTEMPTY);
      mount.source.delete?.(inner);
    },
  },
  stat: {
    arity: 1,
    run: async (process, [path = '']) => {
      const node = existing(process, path, false);
      const line = `${statMode(node).toString(8)} ${node.meta.uid} ${node.meta.gid} ${nodeSize(node)}\n`;
      await process.write(1, Buffer.from(line));
    },
  },
  exists: {
    arity: 1,
    run: async (process, [path = '']) => {
      let found: FsNode | undefined;
      try {
        found = find(process, path, false).node;
      } catch (error) {
        if (!(error instanceof FsError && missing.has(error.errno))) throw error;
      }
      await process.write(1, Buffer.from(found ? 'yes\n' : 'no\n'));
    },
  },
};
