import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { DaemonClient } from './client.ts';

const startMs = 60_000;

/** A daemon that a test started for itself. */
export interface Daemon {
  readonly name: string;
  readonly version: string;
  /** `unix:///path` */
  readonly socket: string;
  readonly directory: string;
  /** What the daemon wrote to its output so far. */
  log(): Promise<string>;
  /**
   * Ends the daemon and removes all that it made. May be called more than once.
   * @throws Error naming what could not be removed, or how the daemon ended if it did so by itself
   */
  stop(): Promise<void>;
}

/** A kind of daemon that tests can start. */
export interface Engine {
  readonly name: string;
  /** The reviewed list of its known deviations, a path in the repository; absent as long as nobody has reviewed one. */
  readonly baseline?: string;
  /** What it is judged in, as `--api` takes it; the default of a run when absent. */
  readonly apis?: string;
  /** Options for what it is judged in where time is short: without what was found to show next to nothing else. */
  readonly few?: readonly string[];
  /** Why it cannot be started here, or undefined when it can. */
  unavailable(): string | undefined;
  start(): Promise<Daemon>;
}

export interface Launch {
  readonly name: string;
  /** The daemon's own: everything below it is removed at the end. */
  readonly directory: string;
  readonly socketPath: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Commands that remove what lies outside the directory, run when the daemon has ended. */
  readonly after: readonly (readonly string[])[];
}

/** Why daemons cannot be run here at all, or which of the programs are missing. */
export function missing(programs: readonly string[]): string | undefined {
  if (process.platform !== 'linux') return `needs Linux, this is ${process.platform}`;
  if (process.getuid?.() !== 0) return 'needs root';
  const absent = programs.filter((program) => !isInstalled(program));
  return absent.length > 0 ? `not installed: ${absent.join(', ')}` : undefined;
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a daemon in a directory of its own and waits until it answers. It ends with this process, however that ends.
 * @throws Error with the daemon's output when it does not come up
 */
export async function launch(options: Launch): Promise<Daemon> {
  const logFile = path.join(options.directory, 'daemon.log');
  const socket = `unix://${options.socketPath}`;
  const keeper = startKeeper(options);
  const log = () => readFile(logFile, 'utf8');
  try {
    const version = await firstAnswer(keeper, socket);
    return { name: options.name, version, socket, directory: options.directory, log, stop: () => stopKeeper(keeper) };
  } catch (error) {
    const output = await log().catch(() => '');
    const problems = await stopKeeper(keeper).catch(String);
    throw new Error([`${options.name} did not start: ${String(error)}`, output, problems ?? ''].join('\n'));
  }
}

/** The process that runs the daemon, and removes what it made. */
interface Keeper {
  readonly child: ChildProcess;
  /** Is fulfilled when the process has ended, with what went wrong. */
  readonly problems: Promise<string>;
}

/** In a session of its own, so that Ctrl-C on the terminal does not reach it. */
function startKeeper(options: Launch): Keeper {
  const program = fileURLToPath(new URL('./keeper.js', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]);
  return { child, problems: ended.then(([[status], told]) => (status === 0 ? '' : told)) };
}

async function stopKeeper({ child, problems }: Keeper): Promise<void> {
  child.stdin?.end();
  const told = await problems;
  if (told !== '') throw new Error(told);
}

/** @returns the daemon's version */
async function firstAnswer({ child }: Keeper, socket: string): Promise<string> {
  const client = new DaemonClient(socket);
  try {
    const pinged = await lookUntil(
      () => client.send('GET', '/_ping').catch(() => undefined), // The socket may not be there yet.
      (answer) => answer?.status === 200 || !isRunning(child),
      startMs,
    );
    if (!isRunning(child)) throw new Error('it ended at once');
    if (pinged?.status !== 200) throw new Error(`no answer within ${startMs} ms`);
    return String(Object(await client.json('GET', '/version')).Version);
  } finally {
    await client.close();
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
