import type { Container } from '../../../../harness/engine/container.ts';
import type { Exec } from '../../../../harness/engine/exec.ts';
import type { Target } from '../../../../harness/target/target.ts';

export type ModelState = 'created' | 'running' | 'paused' | 'exited';

/** What is known about a container. */
export interface ContainerModel {
  /** The letter of its name. */
  letter: string;
  readonly id: string;
  /** Identified by name, so that a script can send the same request. */
  handle: Container;
  state: ModelState;
  /** The code with which its process ends by itself; absent: it waits forever. */
  readonly endsWith?: number;
  /** The code with which it ended, if known. */
  exitCode?: number;
  /** The minimum number of events of each kind. */
  readonly told: Map<string, number>;
  /** The letter of the volume that it has. */
  readonly volume?: string;
  /** The letters of the networks that it was connected to. */
  readonly networks: Set<string>;
}

/** What is known about a command that was created in a container. */
export interface ExecModel {
  readonly handle: Exec;
  readonly container: ContainerModel;
  state: 'created' | 'running' | 'ended';
  /** The state in which it was looked at last. */
  seen?: ExecModel['state'];
  readonly endsWith?: number;
}

/** What is known about an image. */
export interface ImageModel {
  readonly id: string;
  /** The name that it was created with, and keeps. */
  readonly made: string;
  /** The letters of its other names. */
  readonly names: Set<string>;
}

/** What the daemon should have, as far as one sequence made it. */
export class World {
  /** Whether containers can be paused there. */
  readonly pauses: boolean;
  /** By the letter of the name. */
  readonly containers = new Map<string, ContainerModel>();
  /** Containers that were removed. */
  readonly gone: ContainerModel[] = [];
  /** Letters of the volumes. */
  readonly volumes = new Set<string>();
  /** Letters of the networks. */
  readonly networks = new Set<string>();
  execs: ExecModel[] = [];
  /** Whether no step follows, so that the next look is the last. */
  isOver = false;
  image: ImageModel | undefined;

  constructor({ lacks }: Pick<Target, 'lacks'>) {
    this.pauses = lacks.freezer === undefined;
  }

  /** The containers in any of the states, ordered by letter. */
  in(...states: readonly ModelState[]): ContainerModel[] {
    const all = [...this.containers.values()].sort((one, other) => one.letter.localeCompare(other.letter));
    return all.filter(({ state }) => states.includes(state));
  }

  /** Whether a volume is in use; undefined where only containers that do not run have it, which need not count. */
  uses(volume: string): boolean | undefined {
    const users = [...this.containers.values()].filter((container) => container.volume === volume);
    if (users.length === 0) return false;
    return users.some(({ state }) => state === 'running') || undefined;
  }
}

/** Notes that the daemon must report some kinds of events for a container. */
export function tells({ told }: ContainerModel, ...kinds: readonly string[]): void {
  for (const kind of kinds) told.set(kind, (told.get(kind) ?? 0) + 1);
}
