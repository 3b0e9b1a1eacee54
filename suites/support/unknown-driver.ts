import type { Engine } from '../../harness/engine/engine.ts';

/** Engines spend some time looking for a driver that they do not know. */
export const lookUpMs = 30_000;

/** The name of a driver that does not exist. */
export const unknownDriver = 'ec-no-such-driver';

/**
 * The same of a driver of volumes, for a volume itself or for the mount of a container. dockerd looks for one name at a
 * time, so each has its own, and none waits for another.
 */
export function unknownVolumeDriver(of: 'volume' | 'mount', { api }: Engine): string {
  return `${unknownDriver}-${of}-${api}`;
}
