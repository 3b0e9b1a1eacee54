import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Ended, launch } from '../../launcher.ts';
import { workplace } from '../../workplace.ts';
import type { Door } from '../recording.ts';

const program = '/usr/bin/docker';

export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

/** Why Debian's docker command line cannot be run here; undefined when it can. */
export function whyNoDocker(): string | undefined {
  try {
    const version = execFileSync(program, ['--version'], { encoding: 'utf8' });
    return version.includes('version 20.10.') ? undefined : `not 20.10: ${version.trim()}`;
  } catch {
    return `${program} is not installed`;
  }
}

const groups = new Set(['container', 'image', 'network', 'volume', 'system', 'builder']);
/** A command without what it is about: `docker volume ls`. */
export function commandName(line: string): string {
  const [first = '', second = ''] = line.split(' ');
  return `docker ${groups.has(first) ? `${first} ${second}` : first}`;
}

/** Gives each command a way to the engine. */
export interface Doors {
  open(doing: string): Promise<Pick<Door, 'socketPath' | 'close'>>;
}

/** The docker command line as it speaks to one engine in API version 1.23. */
export class Docker {
  readonly #doors: Doors;
  readonly #config = path.join(workplace, 'docker-config');

  constructor(doors: Doors) {
    this.#doors = doors;
    mkdirSync(this.#config, { recursive: true });
  }

  /**
   * Starts a command, whose standard input stays open.
   * @param line is cut at spaces
   * @param more parameters that may hold spaces
   */
  async start(line: string, ...more: readonly string[]): Promise<RunningCommand> {
    const door = await this.#doors.open(commandName(line));
    const child = spawn(program, [...line.split(' '), ...more], this.#placeFor(door));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString('latin1');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('latin1');
    });
    child.stdin.on('error', () => {}); // A command that reads nothing may be gone before it is written to.
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', async (status) => {
        await door.close();
        resolve({ status, stdout, stderr });
      });
    });
    return { child, ended };
  }

  /** Runs a command with this standard input to its end. */
  async runWith(input: string | Buffer, line: string, ...more: readonly string[]): Promise<Ended> {
    const { child, ended } = await this.start(line, ...more);
    child.stdin.end(input);
    return ended;
  }

  /** Runs a command to its end. What it writes has one character for each byte. */
  async run(line: string, ...more: readonly string[]): Promise<Ended> {
    const door = await this.#doors.open(commandName(line));
    try {
      return await launch(program, [...line.split(' '), ...more], { ...this.#placeFor(door), encoding: 'latin1' });
    } finally {
      await door.close();
    }
  }

  /** Runs a command that has to succeed. @returns its standard output without the last line break */
  async ok(line: string, ...more: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(line, ...more);
    if (status !== 0) throw new Error(`docker ${[line, ...more].join(' ')} ended with ${status}: ${stderr}`);
    return stdout.replace(/\n$/, '');
  }

  #placeFor({ socketPath }: Pick<Door, 'socketPath'>) {
    const env = {
      PATH: process.env.PATH,
      HOME: workplace,
      TZ: 'UTC',
      DOCKER_CONFIG: this.#config,
      DOCKER_HOST: `unix://${socketPath}`,
      DOCKER_API_VERSION: '1.23',
      DOCKER_BUILDKIT: '0',
    };
    return { cwd: workplace, env };
  }
}
