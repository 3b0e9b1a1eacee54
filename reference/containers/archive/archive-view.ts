import { newDirectory, segments } from '../../process/file-system.ts';
import { type Mount, type MountSource, subtree, View } from '../../process/mounts.ts';
import type { Container } from '../container.ts';
import { hostSource } from '../mounts/host-source.ts';

function mount(path: readonly string[], source: MountSource, readOnly: boolean): Mount {
  return { path, source, readOnly, type: 'ext4', device: '/dev/sda1', root: '/', flags: '', options: '' };
}

/** A container's own files, without anything mounted over them. */
export function ownFiles({ root, hostConfig }: Container): View {
  return new View([mount([], subtree(root), hostConfig.ReadonlyRootfs)]);
}

const kernelDirectories = [['proc'], ['sys'], ['dev']];
const givenFiles = new Set(['hosts', 'hostname', 'resolv.conf']);
/** In place of files that cannot be copied. */
const nothing: MountSource = { get: (parts) => (parts.length === 0 ? newDirectory() : undefined) };

/**
 * What the archive endpoints see of a container, whether it runs or not: its own files, its volumes and binds, and the
 * files of /etc that the engine writes for a running container. /proc, /sys, /dev and each tmpfs are empty, as nothing
 * in them can be copied (Document 1, Limits).
 */
export function archiveView(container: Container): View {
  const mounts = [...ownFiles(container).mounts];
  const hidden = [...kernelDirectories, ...Object.keys(container.hostConfig.Tmpfs).map(segments)];
  mounts.push(...hidden.map((path) => mount(path, nothing, true)));
  const given = container.process?.options.view.mounts ?? [];
  mounts.push(...given.filter(({ path: [first, name = ''] }) => first === 'etc' && givenFiles.has(name)));
  for (const point of container.mounts) {
    const path = segments(point.destination);
    const source = point.volume ? subtree(point.volume.tree) : hostSource(point.source);
    mounts.push(mount(path, source, !point.writable));
    const isInside = (other: string): boolean => point.destination.startsWith(`${other}/`);
    const isCovered = container.mounts.some(({ destination }) => isInside(destination));
    if (!isCovered && !container.root.get(path)) container.root.set(path, newDirectory());
  }
  return new View(mounts.sort((a, b) => a.path.length - b.path.length));
}
