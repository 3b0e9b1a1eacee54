/** Owner, permission bits (no file type) and modification time in milliseconds. */
export interface Meta {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtime: number;
}

export interface FileNode {
  readonly kind: 'file';
  readonly meta: Meta;
  readonly data: Buffer;
}

export interface DirectoryNode {
  readonly kind: 'directory';
  readonly meta: Meta;
  readonly children: ReadonlyMap<string, FsNode>;
}

interface LinkNode {
  readonly kind: 'link';
  readonly meta: Meta;
  readonly target: string;
}

export interface DeviceNode {
  readonly kind: 'device';
  /** Refuses all writes as if it were full. */
  readonly isFull?: boolean;
  readonly meta: Meta;
  readonly type: 'character' | 'block' | 'fifo';
}

export type FsNode = FileNode | DirectoryNode | LinkNode | DeviceNode;

export function newMeta(mode: number, uid = 0, gid = 0, mtime = Date.now()): Meta {
  return { mode, uid, gid, mtime };
}

export function newDirectory(mode = 0o755, uid = 0, gid = 0): DirectoryNode {
  return { kind: 'directory', meta: newMeta(mode, uid, gid), children: new Map() };
}

export function newFile(data: Buffer | string, mode = 0o644, uid = 0, gid = 0): FileNode {
  return { kind: 'file', meta: newMeta(mode, uid, gid), data: typeof data === 'string' ? Buffer.from(data) : data };
}

/** The mode as stat gives it, with the file type. */
export function statMode(node: FsNode): number {
  const types = { file: 0o100000, directory: 0o040000, link: 0o120000 };
  const devices = { character: 0o020000, block: 0o060000, fifo: 0o010000 };
  return (node.kind === 'device' ? devices[node.type] : types[node.kind]) | node.meta.mode;
}

export function nodeSize(node: FsNode): number {
  if (node.kind === 'file') return node.data.length;
  if (node.kind === 'link') return Buffer.byteLength(node.target);
  return node.kind === 'directory' ? 4096 : 0;
}

/** The segments of a path, without empty ones and '.'. */
export function segments(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/**
 * A tree of files. Nodes never change: a write copies the directories on its path, so that an image's tree is shared by
 * all its containers and a snapshot costs nothing.
 */
export class Tree {
  root: DirectoryNode;

  constructor(root: DirectoryNode = newDirectory()) {
    this.root = root;
  }

  /** The node at exactly these segments (links are not followed); undefined when there is none. */
  get(parts: readonly string[]): FsNode | undefined {
    let node: FsNode = this.root;
    for (const part of parts) {
      if (node.kind !== 'directory') return undefined;
      const child = node.children.get(part);
      if (!child) return undefined;
      node = child;
    }
    return node;
  }

  /** Puts a node; missing directories on the way are created. */
  set(parts: readonly string[], node: FsNode): void {
    const root = changed(this.root, parts, node);
    if (root.kind === 'directory') this.root = root;
  }

  delete(parts: readonly string[]): void {
    if (this.get(parts)) this.root = without(this.root, parts);
  }
}

function changed(at: FsNode | undefined, parts: readonly string[], node: FsNode): FsNode {
  const [name, ...rest] = parts;
  if (name === undefined) return node;
  const directory = at?.kind === 'directory' ? at : newDirectory();
  const children = new Map(directory.children);
  const child = changed(children.get(name), rest, node);
  const isNew = !children.has(name);
  children.set(name, child);
  const meta = isNew ? { ...directory.meta, mtime: Date.now() } : directory.meta;
  return { kind: 'directory', meta, children };
}

function without(directory: DirectoryNode, parts: readonly string[]): DirectoryNode {
  const [name, ...rest] = parts;
  if (name === undefined) return directory;
  const children = new Map(directory.children);
  const child = children.get(name);
  if (rest.length === 0) children.delete(name);
  else if (child?.kind === 'directory') children.set(name, without(child, rest));
  const meta = rest.length === 0 ? { ...directory.meta, mtime: Date.now() } : directory.meta;
  return { kind: 'directory', meta, children };
}

/** Size in bytes of all files below a node. */
export function treeSize(node: FsNode): number {
  if (node.kind === 'file') return node.data.length;
  if (node.kind !== 'directory') return 0;
  let size = 0;
  for (const child of node.children.values()) size += treeSize(child);
  return size;
}

/** Size of the files of `node` that differ from those of `base`. */
export function changedSize(node: FsNode, base: FsNode | undefined): number {
  if (node === base) return 0;
  if (node.kind !== 'directory') return treeSize(node);
  let size = 0;
  for (const [name, child] of node.children) {
    size += changedSize(child, base?.kind === 'directory' ? base.children.get(name) : undefined);
  }
  return size;
}
