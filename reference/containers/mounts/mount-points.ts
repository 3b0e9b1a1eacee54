import type { ApiVersion } from '../../../specs/versions.ts';
import { atLeast, newestDocumented } from '../../../specs/versions.ts';
import type { Engine } from '../../engine.ts';
import { type DirectoryNode, segments, Tree } from '../../process/file-system.ts';
import type { Volume } from '../../volumes/store.ts';
import type { HostConfig } from '../settings/host-config.ts';
import { parseBind } from './binds.ts';
import type { MountPoint } from './mount-point.ts';

/** Works out a new container's mounts: binds first, then those of other containers, then anonymous volumes. */
export function resolveMounts(
  engine: Engine,
  hostConfig: HostConfig,
  volumes: readonly string[],
  image: DirectoryNode,
): MountPoint[] {
  const points = new Map<string, MountPoint>();
  for (const source of hostConfig.VolumesFrom) addFrom(engine, source, points);
  for (const text of hostConfig.Binds) {
    const bind = parseBind(text, newestDocumented);
    if (!bind) continue;
    const volume = bind.isVolume ? engine.volumes.ensure(bind.source, { driver: hostConfig.VolumeDriver }) : undefined;
    if (volume) copyUp(volume, image, bind.destination);
    points.set(bind.destination, {
      volume,
      source: volume?.mountpoint ?? bind.source,
      destination: bind.destination,
      mode: bind.mode,
      writable: !bind.readOnly,
      propagation: bind.propagation,
      anonymous: false,
    });
  }
  for (const path of volumes) {
    const destination = `/${segments(path).join('/')}`;
    if (points.has(destination)) continue;
    const volume = engine.volumes.ensure('', { driver: hostConfig.VolumeDriver });
    copyUp(volume, image, destination);
    const source = volume.mountpoint;
    points.set(destination, {
      volume,
      source,
      destination,
      mode: '',
      writable: true,
      propagation: '',
      anonymous: true,
    });
  }
  return [...points.values()];
}

function addFrom(engine: Engine, text: string, points: Map<string, MountPoint>): void {
  const [name = '', mode = ''] = text.split(':');
  const readOnly = mode.split(',').includes('ro');
  for (const mount of engine.containers.get(name).mounts) {
    points.set(mount.destination, { ...mount, mode: mode || mount.mode, writable: mount.writable && !readOnly });
  }
}

/** An empty volume starts with what the image has at its mount point. */
function copyUp(volume: Volume, image: DirectoryNode, destination: string): void {
  if (volume.tree.root.children.size > 0) return;
  const node = new Tree(image).get(segments(destination));
  if (node?.kind === 'directory') volume.tree.root = node;
}

/** The mount object of list and inspect (Document 1). */
export function shapeMount(mount: MountPoint, api: ApiVersion): object {
  const common = {
    Source: mount.source,
    Destination: mount.destination,
    Mode: mount.mode,
    RW: mount.writable,
  };
  if (!atLeast(api, '1.23')) return common;
  const volume = mount.volume ? { Name: mount.volume.name, Driver: mount.volume.driver } : {};
  return { ...volume, ...common, Propagation: mount.propagation };
}
