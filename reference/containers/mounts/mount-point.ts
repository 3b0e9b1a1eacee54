import type { Volume } from '../../volumes/store.ts';

/** A volume or host path that a container sees. */
export interface MountPoint {
  readonly volume: Volume | undefined;
  /** Path on the host; a volume's does not exist there. */
  readonly source: string;
  readonly destination: string;
  readonly mode: string;
  readonly writable: boolean;
  readonly propagation: string;
  /** Whether its volume has a generated name, so that a remove with `v` removes it, too. */
  readonly anonymous: boolean;
}
