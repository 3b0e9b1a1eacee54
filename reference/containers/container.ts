import { now } from '../clock.ts';
import type { Image } from '../images/image.ts';
import type { Endpoint } from '../networks/store.ts';
import { type DirectoryNode, Tree } from '../process/file-system.ts';
import { InputPipe } from '../process/input-pipe.ts';
import type { Process } from '../process/process.ts';
import type { Terminal, WindowSize } from '../process/terminal.ts';
import type { MountPoint } from './mounts/mount-point.ts';
import { type ContainerConfig, toList } from './settings/config.ts';
import type { HostConfig, PortBinding } from './settings/host-config.ts';
import type { Memberships } from './settings/networking-config.ts';
import { OutputHub } from './streams/streams.ts';

export type Status = 'created' | 'restarting' | 'running' | 'paused' | 'exited' | 'dead';

export interface ContainerState {
  running: boolean;
  paused: boolean;
  restarting: boolean;
  oomKilled: boolean;
  pid: number;
  exitCode: number;
  error: string;
  startedAt: bigint | undefined;
  finishedAt: bigint | undefined;
}

/** A command that runs, or will run, inside a container, as seen by its container. */
export interface Exec {
  readonly id: string;
  readonly process: Process | undefined;
  /** The identifier of its process on the host. */
  readonly hostPid: number;
  readonly startedAt: bigint | undefined;
  readonly finished: boolean;
}

/** What a create decides about a container. */
export interface ContainerParts {
  readonly id: string;
  readonly name: string;
  readonly image: Image;
  readonly config: ContainerConfig;
  readonly hostConfig: HostConfig;
  readonly memberships: Memberships;
  readonly mounts: readonly MountPoint[];
  /** The file system that the container begins with. */
  readonly base: DirectoryNode;
}

/** A container: what it was created with, its state, its streams and, while it runs, its process. */
export class Container {
  readonly id: string;
  name: string;
  readonly created = now();
  readonly image: Image;
  readonly config: ContainerConfig;
  hostConfig: HostConfig;
  memberships: Memberships;
  readonly mounts: readonly MountPoint[];
  readonly base: DirectoryNode;
  readonly root: Tree;
  readonly hub: OutputHub;
  readonly state: ContainerState = {
    running: false,
    paused: false,
    restarting: false,
    oomKilled: false,
    pid: 0,
    exitCode: 0,
    error: '',
    startedAt: undefined,
    finishedAt: undefined,
  };
  restartCount = 0;
  /** Restarts since the last long run: each doubles the delay. */
  quickRestarts = 0;
  /** Whether a client stopped it, which suspends its restart policy. */
  manuallyStopped = false;
  /** Detach keys from its start. */
  detachKeys: string | undefined;
  /** Applied to its terminal at the next start. */
  windowSize: WindowSize = { rows: 0, columns: 0 };
  process: Process | undefined;
  terminal: Terminal | undefined;
  stdin: InputPipe;
  endpoints: Endpoint[] = [];
  ports: Readonly<Record<string, readonly PortBinding[] | null>> = {};
  /** The exec instances created in it. */
  readonly execs: Exec[] = [];
  readonly #exits = new Set<(code: number) => void>();
  readonly #stops = new Set<() => void>();
  restartTimer: NodeJS.Timeout | undefined;

  constructor(parts: ContainerParts) {
    this.id = parts.id;
    this.name = parts.name;
    this.image = parts.image;
    this.config = parts.config;
    this.hostConfig = parts.hostConfig;
    this.memberships = parts.memberships;
    this.mounts = parts.mounts;
    this.base = parts.base;
    this.root = new Tree(parts.base);
    this.hub = new OutputHub(keepsLog(parts.hostConfig));
    this.stdin = new InputPipe();
  }

  get status(): Status {
    const { running, paused, restarting, startedAt } = this.state;
    if (restarting) return 'restarting';
    if (paused) return 'paused';
    if (running) return 'running';
    return startedAt === undefined ? 'created' : 'exited';
  }

  get command(): readonly string[] {
    const { Entrypoint, Cmd } = this.config;
    return [...toList(Entrypoint), ...toList(Cmd)];
  }

  /** Its endpoint on the bridge, or else its first. */
  get mainEndpoint(): Endpoint | undefined {
    return this.endpoints.find(({ network }) => network.name === 'bridge') ?? this.endpoints[0];
  }

  /** Its running processes: the first one, then those of exec instances. */
  get processes(): Process[] {
    const started = [this.process, ...this.execs.map(({ process }) => process)];
    return started.filter((process) => process !== undefined).filter(({ exitCode }) => exitCode === undefined);
  }

  /** The exit code of the run that ends next. */
  nextExit(): Promise<number> {
    return new Promise((resolve) => {
      this.onExit(resolve);
    });
  }

  /** Calls `action` at the next exit; the returned function cancels that. */
  onExit(action: (code: number) => void): () => void {
    this.#exits.add(action);
    return () => this.#exits.delete(action);
  }

  /** Calls `action` when it stops for good (no restart follows) or is removed; the returned function cancels that. */
  onStop(action: () => void): () => void {
    this.#stops.add(action);
    return () => this.#stops.delete(action);
  }

  /** Notifies everyone who waits for an exit. */
  announceExit(code: number): void {
    const actions = [...this.#exits];
    this.#exits.clear();
    for (const action of actions) action(code);
  }

  /** Notifies everyone who follows its output that no more will come. */
  announceStop(): void {
    const actions = [...this.#stops];
    this.#stops.clear();
    for (const action of actions) action();
  }

  /** Ends its process and timers without notifying anyone. */
  abandon(): void {
    this.manuallyStopped = true;
    clearTimeout(this.restartTimer);
    this.process?.end(137);
  }
}

/** Whether its log driver keeps what it writes. */
export function keepsLog({ LogConfig }: HostConfig): boolean {
  return LogConfig.Type === 'json-file' || LogConfig.Type === 'journald';
}
