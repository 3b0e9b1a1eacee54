import { type ApiVersion, documentedVersions } from '../specs/versions.ts';
import { dockerWords, engineWords, type Words } from '../specs/words.ts';
import { BuildCache } from './build/cache.ts';
import { ContainerStore } from './containers/store.ts';
import type { Dialect } from './dialect.ts';
import { EventBus } from './events/bus.ts';
import { ExecStore } from './exec/store.ts';
import { ImageStore } from './images/store.ts';
import { NetworkStore } from './networks/store.ts';
import { VolumeStore } from './volumes/store.ts';

/** Everything that one engine manages. */
export class Engine {
  readonly dialect: Dialect;
  readonly words: Words;
  readonly corsHeader: string;
  /** The API versions that it serves. */
  readonly serves: readonly ApiVersion[];
  readonly events = new EventBus();
  readonly images = new ImageStore(this.events);
  readonly volumes = new VolumeStore(this.events);
  readonly networks = new NetworkStore(this.events);
  readonly containers = new ContainerStore();
  readonly execs = new ExecStore();
  readonly buildCache = new BuildCache();
  readonly hostPorts = new Set<string>();
  #lastPid = 1000;

  constructor(dialect: Dialect, corsHeader: string, serves: readonly ApiVersion[] = documentedVersions) {
    this.dialect = dialect;
    this.words = dialect === 'docker' ? dockerWords : engineWords;
    this.corsHeader = corsHeader;
    this.serves = serves;
  }

  /** The next process identifier of the simulated host. */
  nextPid(): number {
    this.#lastPid = this.#lastPid >= 4_194_303 ? 1000 : this.#lastPid + 1;
    return this.#lastPid;
  }

  /** Ends all processes and timers. */
  close(): void {
    for (const container of this.containers.all()) container.abandon();
  }
}
