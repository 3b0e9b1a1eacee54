import { type FsNode, newDirectory, newFile } from './file-system.ts';
import type { Mount, MountSource } from './mounts.ts';

/** Files whose text is generated when they are read, by path without a leading slash. */
export type MadeFiles = Readonly<Record<string, () => string>>;

/** A read-only mount source of generated files and the directories above them. */
export function madeSource(files: MadeFiles): MountSource {
  const paths = Object.keys(files);
  return {
    get: (parts): FsNode | undefined => {
      const path = parts.join('/');
      const make = Object.hasOwn(files, path) ? files[path] : undefined;
      if (make) return newFile(make(), 0o444);
      const prefix = path === '' ? '' : `${path}/`;
      const below = paths.filter((name) => name.startsWith(prefix));
      if (below.length === 0) return undefined;
      const names = new Set(below.map((name) => name.slice(prefix.length).split('/')[0] ?? ''));
      return { ...newDirectory(0o555), children: new Map([...names].map((name) => [name, newFile('', 0o444)])) };
    },
  };
}

function listed(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(',');
}

/** The text of /proc/mounts. */
export function mountTable(mounts: readonly Mount[]): string {
  const lines = mounts.map(({ device, path, type, readOnly, flags, options }) => {
    return `${device} /${path.join('/')} ${type} ${listed(readOnly ? 'ro' : 'rw', flags, options)} 0 0\n`;
  });
  return lines.join('');
}

/** The text of /proc/self/mountinfo. */
export function mountInfo(mounts: readonly Mount[]): string {
  const lines = mounts.map(({ path, root, flags, options, type, device, readOnly }, index) => {
    // A bind's own access mode says nothing about that of the file system.
    const isSourceReadOnly = readOnly && type !== 'ext4';
    const own = listed(readOnly ? 'ro' : 'rw', flags);
    const source = listed(isSourceReadOnly ? 'ro' : 'rw', options);
    const ids = `${100 + index} ${parentOf(mounts, path)} 0:${30 + index}`;
    return `${ids} ${root} /${path.join('/')} ${own} - ${type} ${device} ${source}\n`;
  });
  return lines.join('');
}

/** The identifier of the parent mount. */
function parentOf(mounts: readonly Mount[], path: readonly string[]): number {
  const isAbove = (other: readonly string[]) =>
    other.length < path.length && other.every((part, index) => path[index] === part);
  const depths = mounts.map((mount) => (isAbove(mount.path) ? mount.path.length : -1));
  const deepest = Math.max(...depths);
  return deepest < 0 ? 1 : 100 + depths.indexOf(deepest);
}
