import { basename } from 'node:path';
import { errno, FsError } from './fs-error.ts';
import type { InputPipe } from './input-pipe.ts';
import type { View } from './mounts.ts';
import type { NetworkStack } from './network-stack.ts';
import { cannotBeIgnored, handledFromStart, ignoredByDefault, ignoredFromStart, notCaught } from './signals.ts';
import type { Terminal } from './terminal.ts';

export interface Credentials {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

/** Resource limits of a process and its children. */
interface ProcessLimits {
  /** Bytes; 0: no limit. */
  readonly memory: number;
  /** Number of processes; 0 or less: no limit. */
  readonly pids: number;
  /** Called when the memory limit is exceeded; true ends the process, false leaves it waiting for memory. */
  readonly outOfMemory: () => boolean;
}

/** The options for starting a process. */
export interface ProcessOptions {
  readonly argv: readonly string[];
  readonly environment: readonly string[];
  readonly cwd: string;
  readonly credentials: Credentials;
  readonly view: View;
  readonly hostname: string;
  readonly domainname: string;
  readonly network: NetworkStack;
  /** Process identifiers inside its PID namespace. Process 1 ignores signals that have no handler. */
  readonly pid: number;
  readonly parentPid: number;
  readonly limits: ProcessLimits;
  /** The processes that share its PID namespace, itself included. */
  readonly peers: Set<Process>;
  /** Undefined: standard input is /dev/null. */
  readonly stdin: InputPipe | undefined;
  readonly terminal: Terminal | undefined;
  readonly output: (stream: 1 | 2, data: Buffer) => Promise<void> | undefined;
}

/** Bytes that a process writes before others get a turn. */
const turn = 1024 * 1024;
const longestTimer = 2 ** 31 - 1;
/** Caught signals that wait for `wait-signal`. */
const longestQueue = 256;

/** The identifier for a new process of a PID namespace. */
export function freePid(peers: ReadonlySet<Process>): number {
  return Math.max(0, ...[...peers].flatMap(({ options, children }) => [options.pid, ...children])) + 1;
}

/** Unwinds the steps of a process that has ended. */
class Ended extends Error {}

/** A simulated process that runs the probe's steps (docs/probe.md). */
export class Process {
  readonly options: ProcessOptions;
  /** Settles with the exit code, 128 + N after a signal. */
  readonly exited: Promise<number>;
  /** Process identifiers of children (`fork-wait`). */
  readonly children: number[] = [];
  exitCode: number | undefined;
  allocatedMib = 0;
  /** Nanoseconds of processor time that earlier steps used. */
  #used = 1_000_000n;
  #burningSince: bigint | undefined;
  #writtenInTurn = 0;
  readonly #settle: (code: number) => void;
  readonly #ignored = new Set<number>(ignoredFromStart);
  readonly #queue: number[] = [];
  readonly #pending: number[] = [];
  readonly #cleanups = new Set<() => void>();
  readonly #thawed: (() => void)[] = [];
  #catching = false;
  #frozen = false;
  #stopped = false;
  #signalWaiter: ((signal: number) => void) | undefined;

  constructor(options: ProcessOptions) {
    this.options = options;
    let settle: (code: number) => void = () => {};
    this.exited = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
    options.peers.add(this);
  }

  get name(): string {
    return basename(this.options.argv[0] ?? '').slice(0, 15);
  }

  /** Runs a program, which returns the exit code. Never rejects. */
  async run(program: (process: Process, args: readonly string[]) => Promise<number>): Promise<void> {
    try {
      await this.live();
      this.end(await program(this, this.options.argv.slice(1)));
    } catch (error) {
      if (!(error instanceof Ended)) this.end(134);
    }
  }

  /** Ends the process, whatever it is doing. */
  end(code: number): void {
    if (this.exitCode !== undefined) return;
    this.exitCode = code;
    this.#used = this.processorTime;
    this.#burningSince = undefined;
    this.options.peers.delete(this);
    for (const cleanup of [...this.#cleanups]) cleanup();
    this.#cleanups.clear();
    this.#settle(code);
  }

  /** Runs `cleanup` when the process ends; the returned function cancels that. */
  onEnd(cleanup: () => void): () => void {
    this.#cleanups.add(cleanup);
    return () => this.#cleanups.delete(cleanup);
  }

  /** Waits while the process is frozen or stopped; throws when it has ended. */
  async live(): Promise<void> {
    while (this.exitCode === undefined && (this.#frozen || this.#stopped)) {
      await new Promise<void>((resolve) => {
        this.#thawed.push(resolve);
      });
    }
    if (this.exitCode !== undefined) throw new Ended();
  }

  async write(stream: 1 | 2, data: Buffer): Promise<void> {
    await this.live();
    const { terminal, output } = this.options;
    const busy = terminal ? output(1, terminal.output(data)) : output(stream, data);
    this.#writtenInTurn += data.length + 256;
    this.#used += BigInt(data.length + 1000);
    if (busy) await busy;
    else if (this.#writtenInTurn > turn) await new Promise<void>((resolve) => setImmediate(resolve));
    else return;
    this.#writtenInTurn = 0;
    await this.live();
  }

  /** The next bytes of standard input, null at end of file. */
  async read(): Promise<Buffer | null> {
    await this.live();
    const { stdin } = this.options;
    const chunk = stdin ? await stdin.read() : null;
    await this.live();
    return chunk;
  }

  async sleep(milliseconds: number): Promise<void> {
    await this.live();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(
        () => {
          forget();
          resolve();
        },
        Math.min(milliseconds, longestTimer),
      );
      const forget = this.onEnd(() => clearTimeout(timer));
    });
    await this.live();
  }

  /** Never returns; the process ends by a signal. */
  async forever(): Promise<never> {
    await this.live();
    return new Promise(() => {});
  }

  /** Allocates memory, and bears the consequences when it exceeds the limit. */
  async allocate(mib: number): Promise<void> {
    const { memory, outOfMemory } = this.options.limits;
    this.allocatedMib += mib;
    const taken = this.#group().reduce((sum, one) => sum + one.allocatedMib, 0);
    if (memory === 0 || taken * 1_048_576 <= memory) return;
    if (outOfMemory()) this.end(137);
    else await this.forever();
    await this.live();
  }

  /** Starts a child that waits forever. Throws FsError. */
  fork(): void {
    const { limits, peers } = this.options;
    const running = this.#group().reduce((sum, one) => sum + 1 + one.children.length, 0);
    if (limits.pids > 0 && running >= limits.pids) throw new FsError(errno.EAGAIN);
    this.children.push(freePid(peers));
  }

  /** The processes that share its limits. */
  #group(): Process[] {
    return [...this.options.peers].filter(({ options }) => options.limits === this.options.limits);
  }

  /** Nanoseconds of processor time. */
  get processorTime(): bigint {
    return this.#used + (this.#burningSince === undefined ? 0n : process.hrtime.bigint() - this.#burningSince);
  }

  /** Uses processor time for this long. */
  async burn(milliseconds: number): Promise<void> {
    this.#burningSince = process.hrtime.bigint();
    try {
      await this.sleep(milliseconds);
    } finally {
      if (this.exitCode === undefined) {
        this.#burningSince = undefined;
        this.#used += BigInt(milliseconds) * 1_000_000n;
      }
    }
  }

  /** Throws FsError for a signal that cannot be ignored. */
  ignore(signal: number): void {
    if (cannotBeIgnored.has(signal)) throw new FsError(errno.EINVAL);
    this.#ignored.add(signal);
  }

  catchSignals(): void {
    this.#catching = true;
    for (const signal of [...this.#ignored]) if (!notCaught.has(signal)) this.#ignored.delete(signal);
  }

  async nextSignal(): Promise<number> {
    await this.live();
    const queued = this.#queue.shift();
    if (queued !== undefined) return queued;
    const signal = await new Promise<number>((resolve) => {
      this.#signalWaiter = resolve;
    });
    await this.live();
    return signal;
  }

  /** The signals that are ignored and caught, as bit masks. */
  signalMasks(): { ignored: bigint; caught: bigint } {
    let ignored = 0n;
    let caught = 0n;
    for (let signal = 1; signal <= 64; signal += 1) {
      const bit = 1n << BigInt(signal - 1);
      if (this.#ignored.has(signal)) ignored |= bit;
      else if (this.#catching ? !notCaught.has(signal) : handledFromStart.has(signal)) caught |= bit;
    }
    return { ignored, caught };
  }

  /** Freezes the process, and queues signals other than KILL until it is thawed. */
  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
    this.#deliver();
  }

  #deliver(): void {
    for (const signal of this.#pending.splice(0)) this.signal(signal);
    this.#wake();
  }

  signal(signal: number): void {
    if (this.exitCode !== undefined) return;
    if (signal === 9) {
      this.end(137);
      this.#wake();
    } else if (this.#frozen || (this.#stopped && signal !== 18)) {
      // The kernel queues a standard signal only once.
      if (signal > 31 || !this.#pending.includes(signal)) this.#pending.push(signal);
    } else if (signal === 19) {
      this.#stopped = true;
    } else if (signal === 18) {
      this.#stopped = false;
      this.#deliver();
    } else if (!this.#ignored.has(signal)) {
      this.#act(signal);
    }
  }

  #act(signal: number): void {
    if (this.#catching && !notCaught.has(signal)) {
      const waiter = this.#signalWaiter;
      this.#signalWaiter = undefined;
      if (waiter) waiter(signal);
      else if (this.#queue.length < longestQueue) this.#queue.push(signal);
      return;
    }
    const fatal = this.options.pid === 1 ? handledFromStart.has(signal) : !ignoredByDefault.has(signal);
    if (!fatal) return;
    this.end(128 + signal);
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#thawed.splice(0)) resolve();
  }
}
