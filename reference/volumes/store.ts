import { readTmpfsOptions, type TmpfsOptions } from '../containers/mounts/tmpfs-options.ts';
import { conflict, notFound, serverError } from '../errors.ts';
import type { EventBus } from '../events/bus.ts';
import { newId } from '../identifiers.ts';
import { type DirectoryNode, newDirectory, Tree } from '../process/file-system.ts';

export interface Volume {
  readonly name: string;
  readonly driver: string;
  readonly mountpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Set for a volume in memory, which is emptied when it is no longer mounted. */
  readonly tmpfs: TmpfsOptions | undefined;
  readonly tree: Tree;
  /** Identifiers of the containers that refer to it. */
  readonly users: Set<string>;
  /** Identifiers of the containers that have it mounted. */
  readonly mountedBy: Set<string>;
}

/** The volumes of an engine. */
export class VolumeStore {
  readonly #events: EventBus;
  readonly #volumes = new Map<string, Volume>();

  constructor(events: EventBus) {
    this.#events = events;
  }

  all(): Volume[] {
    return [...this.#volumes.values()];
  }

  find(name: string): Volume | undefined {
    return this.#volumes.get(name);
  }

  get(name: string): Volume {
    const volume = this.find(name);
    if (!volume) throw notFound(`no such volume: ${name}`);
    return volume;
  }

  /**
   * The volume with this name, created if necessary; an empty name is replaced by a generated one. Throws 500 for an
   * unknown driver, and for options that the driver does not know.
   */
  ensure(
    name: string,
    options: { driver?: string; labels?: Record<string, string>; options?: Record<string, string> } = {},
  ): Volume {
    const chosen = name || newId();
    const existing = this.#volumes.get(chosen);
    if (existing) return existing;
    const driver = options.driver || 'local';
    if (driver !== 'local') throw serverError(`there is no volume driver ${driver}`);
    const tmpfs = tmpfsOf(options.options ?? {});
    const volume = {
      name: chosen,
      driver,
      mountpoint: `/var/lib/engine/volumes/${chosen}/_data`,
      labels: options.labels ?? {},
      tmpfs,
      tree: new Tree(tmpfs && emptyRoot(tmpfs)),
      users: new Set<string>(),
      mountedBy: new Set<string>(),
    };
    this.#volumes.set(chosen, volume);
    this.#emit('create', volume);
    return volume;
  }

  /** Mounts it for a container that now runs, at `destination`. */
  mount(volume: Volume, container: string, destination: string): void {
    volume.mountedBy.add(container);
    this.#emit('mount', volume, { container, destination });
  }

  unmount(volume: Volume, container: string): void {
    volume.mountedBy.delete(container);
    if (volume.tmpfs && volume.mountedBy.size === 0) volume.tree.root = emptyRoot(volume.tmpfs);
    this.#emit('unmount', volume, { container });
  }

  remove(name: string): void {
    const volume = this.get(name);
    if (volume.users.size > 0) throw conflict(`volume ${name} is in use`);
    this.#volumes.delete(name);
    this.#emit('destroy', volume);
  }

  #emit(action: string, { name, driver, labels }: Volume, more: Readonly<Record<string, string>> = {}): void {
    this.#events.emit('volume', action, name, { ...labels, driver, ...more });
  }
}

/** What the options of the driver local request: nothing, or a file system in memory. */
function tmpfsOf(options: Readonly<Record<string, string>>): TmpfsOptions | undefined {
  const { type, device, o = '', ...unknown } = options;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw serverError(`the driver local does not know the option ${other}`);
  if (type === undefined && device === undefined && o === '') return undefined;
  if (type !== 'tmpfs' || device !== 'tmpfs') throw serverError('the driver local mounts only a tmpfs');
  const read = readTmpfsOptions(o, []);
  if (!read) throw serverError(`a tmpfs has no such options: ${o}`);
  return read;
}

function emptyRoot({ mode, uid, gid }: TmpfsOptions): DirectoryNode {
  return newDirectory(mode, uid, gid);
}
