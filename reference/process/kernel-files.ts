import { type FsNode, newDirectory, newFile } from './file-system.ts';
import type { Mount, MountSource } from './mounts.ts';

/** Files whose text is made when they are read, by path without a slash at the start. */
export type MadeFiles = Readonly<Record<string, () => string>>;

/** A read-only mount source of made files and the directories above them. */
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

/** A mount's options as the kernel shows them, with its access first. */
function accessOptions({ readOnly, options }: Pick<Mount, 'readOnly' | 'options'>): string {
  const others = options.split(',').filter((option) => option !== 'rw' && option !== 'ro');
  return [readOnly ? 'ro' : 'rw', ...others].join(',');
}

/** The text of /proc/mounts. */
export function mountTable(mounts: readonly Mount[]): string {
  const lines = mounts.map((mount) => {
    return `${mount.device} /${mount.path.join('/')} ${mount.type} ${accessOptions(mount)} 0 0\n`;
  });
  return lines.join('');
}

/** The text of /proc/self/mountinfo. */
export function mountInfo(mounts: readonly Mount[]): string {
  const lines = mounts.map(({ path, root, options, type, device, readOnly }, index) => {
    const own = accessOptions({ readOnly, options });
    const parent = index === 0 ? 1 : 100;
    return `${100 + index} ${parent} 0:${30 + index} ${root} /${path.join('/')} ${own} - ${type} ${device} ${own}`;
  });
  return `${lines.join('\n')}\n`;
}
