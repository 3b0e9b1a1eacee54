import { conflict, notFound, serverError } from '../errors.ts';
import type { EventBus } from '../events/bus.ts';
import { newId } from '../identifiers.ts';
import { Tree } from '../process/file-system.ts';

export interface Volume {
  readonly name: string;
  readonly driver: string;
  readonly mountpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
  readonly tree: Tree;
  /** Identifiers of the containers that refer to it. */
  readonly users: Set<string>;
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
   * The volume with this name, made when there is none; a name is generated when it is empty.
   * Throws 500 for a driver that there is not.
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
    const volume = {
      name: chosen,
      driver,
      mountpoint: `/var/lib/engine/volumes/${chosen}/_data`,
      labels: options.labels ?? {},
      options: options.options ?? {},
      tree: new Tree(),
      users: new Set<string>(),
    };
    this.#volumes.set(chosen, volume);
    this.#events.emit('volume', 'create', chosen, { driver: volume.driver });
    return volume;
  }

  remove(name: string): void {
    const volume = this.get(name);
    if (volume.users.size > 0) throw conflict(`volume ${name} is in use`);
    this.#volumes.delete(name);
    this.#events.emit('volume', 'destroy', name, { driver: volume.driver });
  }
}
