import { readdirSync, statSync } from 'node:fs';
import { serverError } from '../errors.ts';
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

/** A device that every container has. */
function usual(name: string): DeviceNode {
  return { ...character(0o666), ...(name === 'full' && { isFull: true }) };
}

const everywhere = ['full', 'null', 'random', 'tty', 'urandom', 'zero'];

/** A device of the machine that the engine runs on. Throws Error when there is none at this path. */
export function hostDevice(path: string): DeviceNode {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isCharacterDevice() || stat?.isBlockDevice()) {
    const meta = newMeta(stat.mode & 0o7777, stat.uid, stat.gid, stat.mtimeMs);
    const isFull = path === '/dev/full';
    return { kind: 'device', meta, type: stat.isBlockDevice() ? 'block' : 'character', ...(isFull && { isFull }) };
  }
  // A host has these, even where the engine's own environment does not.
  const name = everywhere.find((name) => path === `/dev/${name}`);
  if (name !== undefined) return usual(name);
  throw serverError(`there is no device ${path}`);
}

/** A container's device settings. */
interface DeviceSettings {
  readonly Devices: readonly { readonly PathOnHost: string; readonly PathInContainer: string }[];
  /** Gives it all of the host's devices. */
  readonly Privileged: boolean;
}

/** The /dev of a new container. Throws 500 when the host lacks a device that was requested. */
export function deviceDirectory(hasTerminal: boolean, { Devices, Privileged }: DeviceSettings): DirectoryNode {
  const children = new Map<string, FsNode>([
    ...(Privileged ? hostDevices() : []),
    ...everywhere.map((name) => [name, usual(name)] as const),
    ['core', link('/proc/kcore')],
    ['fd', link('/proc/self/fd')],
    ['mqueue', newDirectory(0o1777)],
    ['ptmx', link('pts/ptmx')],
    ['pts', newDirectory()],
    ['shm', newDirectory(0o1777)],
    ['stderr', link('/proc/self/fd/2')],
    ['stdin', link('/proc/self/fd/0')],
    ['stdout', link('/proc/self/fd/1')],
  ]);
  if (hasTerminal) children.set('console', character(0o620));
  const tree = new Tree({ kind: 'directory', meta: newMeta(0o755), children });
  for (const { PathOnHost, PathInContainer } of Devices) {
    const [first, ...rest] = segments(PathInContainer || PathOnHost);
    if (first === 'dev' && rest.length > 0) tree.set(rest, hostDevice(PathOnHost));
  }
  return tree.root;
}

function hostDevices(): [string, FsNode][] {
  const found = readdirSync('/dev', { withFileTypes: true });
  const devices = found.filter((entry) => entry.isCharacterDevice() || entry.isBlockDevice());
  return devices.map(({ name }) => [name, hostDevice(`/dev/${name}`)]);
}
