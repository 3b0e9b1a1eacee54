import type { Container, Exec } from '../containers/container.ts';
import { OutputHub } from '../containers/streams/streams.ts';
import { newId } from '../identifiers.ts';
import { InputPipe } from '../process/input-pipe.ts';
import type { Process } from '../process/process.ts';
import type { Terminal } from '../process/terminal.ts';

/** What exec create asks for (Document 3, Exec create). */
export interface ExecConfig {
  readonly attachStdin: boolean;
  readonly attachStdout: boolean;
  readonly attachStderr: boolean;
  readonly tty: boolean;
  readonly command: readonly string[];
  /** Empty: the container's user. */
  readonly user: string;
  readonly privileged: boolean;
  readonly detachKeys: string;
}

/** A command that runs, or will run, inside a container. */
export class ExecInstance implements Exec {
  readonly id = newId();
  readonly container: Container;
  readonly config: ExecConfig;
  readonly hub = new OutputHub(false);
  readonly stdin = new InputPipe();
  /** Set by its one start. */
  process: Process | undefined;
  terminal: Terminal | undefined;
  startedAt: bigint | undefined;
  /** The identifier of its process on the host. */
  hostPid = 0;
  /** Whether its start also asked for a terminal. */
  ttyAtStart = false;
  /** The exit code for a command that could not be started. */
  failure: number | undefined;

  constructor(container: Container, config: ExecConfig) {
    this.container = container;
    this.config = config;
  }

  get running(): boolean {
    return this.process !== undefined && this.process.exitCode === undefined;
  }

  /** 0 until it has ended. */
  get exitCode(): number {
    return this.process?.exitCode ?? this.failure ?? 0;
  }

  get finished(): boolean {
    return this.failure !== undefined || this.process?.exitCode !== undefined;
  }
}
