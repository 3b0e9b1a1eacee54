import {
  type DeviceNode,
  type DirectoryNode,
  type FsNode,
  newDirectory,
  newMeta,
  segments,
  Tree,
} from './file-system.ts';

function character(mode: number): DeviceNode {
  return { kind: 'device', meta: newMeta(mode), type: 'character' };
}

function link(target: string): FsNode {
  return { kind: 'link', meta: newMeta(0o777), target };
}

/** The /dev of a new container, with the devices that it was given by their paths. */
export function deviceDirectory(hasTerminal: boolean, given: readonly string[]): DirectoryNode {
  const children = new Map<string, FsNode>([
    ['core', link('/proc/kcore')],
    ['fd', link('/proc/self/fd')],
    ['full', character(0o666)],
    ['mqueue', newDirectory(0o1777)],
    ['null', character(0o666)],
    ['ptmx', link('pts/ptmx')],
    ['pts', newDirectory()],
    ['random', character(0o666)],
    ['shm', newDirectory(0o1777)],
    ['stderr', link('/proc/self/fd/2')],
    ['stdin', link('/proc/self/fd/0')],
    ['stdout', link('/proc/self/fd/1')],
    ['tty', character(0o666)],
    ['urandom', character(0o666)],
    ['zero', character(0o666)],
  ]);
  if (hasTerminal) children.set('console', character(0o620));
  const tree = new Tree({ kind: 'directory', meta: newMeta(0o755), children });
  for (const path of given) if (path.startsWith('/dev/')) tree.set(segments(path).slice(1), character(0o660));
  return tree.root;
}
