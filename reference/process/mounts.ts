import { type FsNode, segments, type Tree } from './file-system.ts';
import { errno, FsError } from './fs-error.ts';

/** Where a mount's files come from: a part of a tree, or nodes that are generated on demand. */
export interface MountSource {
  get(parts: readonly string[]): FsNode | undefined;
  /** Absent when the files cannot be changed. */
  set?(parts: readonly string[], node: FsNode): void;
  delete?(parts: readonly string[]): void;
}

/** One line of a container's mount table. */
export interface Mount {
  readonly path: readonly string[];
  readonly source: MountSource;
  readonly readOnly: boolean;
  /** Filesystem type, device and root as /proc/self/mountinfo shows them. */
  readonly type: string;
  readonly device: string;
  readonly root: string;
  /** Flags of the mount besides its access, as `nosuid,nodev`. */
  readonly flags: string;
  /** Options of the file system besides its access, as `size=64k`. */
  readonly options: string;
  /** Capacity in bytes, for a tmpfs with a size. */
  readonly capacity?: number;
}

/** The part of `tree` at `base` as a mount source. */
export function subtree(tree: Tree, base: readonly string[] = []): MountSource {
  return {
    get: (parts) => tree.get([...base, ...parts]),
    set: (parts, node) => tree.set([...base, ...parts], node),
    delete: (parts) => tree.delete([...base, ...parts]),
  };
}

/** A place in a container's file system; `node` is undefined where nothing is yet. */
export interface MountedPath {
  readonly path: readonly string[];
  readonly mount: Mount;
  readonly inner: readonly string[];
  readonly node: FsNode | undefined;
}

/** The file system that a container's processes see: its root and the mounts over it. */
export class View {
  readonly mounts: readonly Mount[];

  constructor(mounts: readonly Mount[]) {
    this.mounts = mounts;
  }

  /**
   * Finds a path, following links (the last one only with `follow`), and calls `enter` for each directory on the way.
   * Throws FsError.
   */
  find(path: string, cwd = '/', follow = true, enter: (directory: FsNode) => void = () => {}): MountedPath {
    const todo = [...(path.startsWith('/') ? [] : segments(cwd)), ...segments(path)];
    const done: string[] = [];
    let links = 0;
    while (todo.length > 0) {
      const part = todo.shift() ?? '';
      if (part === '..') {
        done.pop();
        continue;
      }
      const parent = this.#at(done).node;
      if (!parent) throw new FsError(errno.ENOENT);
      if (parent.kind !== 'directory') throw new FsError(errno.ENOTDIR);
      enter(parent);
      done.push(part);
      const { node } = this.#at(done);
      if (node?.kind !== 'link' || (todo.length === 0 && !follow)) continue;
      links += 1;
      if (links > 40) throw new FsError(errno.ELOOP);
      if (node.target.startsWith('/')) done.length = 0;
      else done.pop();
      todo.unshift(...segments(node.target));
    }
    const place = this.#at(done);
    if (path.endsWith('/') && place.node && place.node.kind !== 'directory') throw new FsError(errno.ENOTDIR);
    return place;
  }

  /** Names of mounts directly below a path: they are entries there even if the underlying directory lacks them. */
  mountedBelow(path: readonly string[]): string[] {
    return this.mounts
      .filter((mount) => mount.path.length === path.length + 1 && startsWith(mount.path, path))
      .map((mount) => mount.path[path.length] ?? '');
  }

  #at(path: readonly string[]): MountedPath {
    let best: Mount | undefined;
    for (const mount of this.mounts) {
      if (startsWith(path, mount.path) && (!best || mount.path.length >= best.path.length)) best = mount;
    }
    if (!best) throw new FsError(errno.ENOENT);
    const inner = path.slice(best.path.length);
    return { path: [...path], mount: best, inner, node: best.source.get(inner) };
  }
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= path.length && prefix.every((part, index) => path[index] === part);
}
