import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { missing } from './daemon.ts';

/** Without procps `top` answers 500, without xz-utils a build from an xz archive, without git one from a repository. */
const packages = [
  ...['docker.io', 'podman', 'crun', 'runc', 'conmon', 'netavark', 'aardvark-dns'],
  ...['iptables', 'iproute2', 'ca-certificates', 'git', 'procps', 'xz-utils'],
];

/** It is downloaded and installed once, then kept for the next runs. */
const makingMs = 15 * 60_000;

const enterProgram = fileURLToPath(new URL('./enter-system.sh', import.meta.url));

/** Why no daemon of Debian 13 can be run here; undefined when one can. */
export function debian13Unavailable(): string | undefined {
  const absent = missing(['unshare', 'mount', 'pivot_root']);
  if (absent !== undefined || existsSync(systemDirectory())) return absent;
  return missing(['debootstrap']) ?? (mirror() === undefined ? 'apt names no mirror of Debian' : undefined);
}

/**
 * The command line that runs a program of Debian 13. It has a root file system of its own, which is gone when it ends,
 * and shares the network and the directory of temporary files with this machine.
 * @param directory a temporary directory of the program; what its folder `etc` holds is laid over the system's `/etc`
 * @throws Error with the output of debootstrap when the system cannot be made
 */
export function inDebian13(directory: string, command: readonly string[]): readonly string[] {
  const system = madeSystem();
  return [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    'sh',
    enterProgram,
    system,
    directory,
    tmpdir(),
    ...command,
  ];
}

/** Where the system is kept, under a name that follows from what is in it. */
function systemDirectory(): string {
  const caches = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  const contents = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 8);
  return path.join(caches, 'engine-conformance', `debian-13-${contents}`);
}

/** Makes the system where it is not there yet; one that was not finished is never taken for one that is. */
function madeSystem(): string {
  const directory = systemDirectory();
  if (existsSync(directory)) return directory;
  const from = mirror();
  if (from === undefined) throw new Error('apt names no mirror of Debian');
  mkdirSync(path.dirname(directory), { recursive: true });
  const unfinished = mkdtempSync(`${directory}.`);
  console.log(`making a system of Debian 13 in ${directory}, which takes some minutes and is done once`);
  try {
    const options = ['--variant=minbase', `--include=${packages.join(',')}`];
    execFileSync('debootstrap', [...options, 'trixie', unfinished, from], { stdio: 'pipe', timeout: makingMs });
    takeItsPlace(unfinished, directory);
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout).slice(-2_000) : '';
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`debootstrap could not make a system of Debian 13: ${String(error)}\n${output}`);
  }
  return directory;
}

/** Who makes the system at the same time may be done first. */
function takeItsPlace(unfinished: string, directory: string): void {
  try {
    renameSync(unfinished, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

/** The mirror from which this machine has its own Debian packages. */
function mirror(): string | undefined {
  try {
    const targets = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI) $(ORIGIN) $(LABEL)'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return targets
      .split('\n')
      .find((line) => line.endsWith(' Debian Debian'))
      ?.split(' ')[0];
  } catch {
    return undefined; // No Debian, or one without lists of packages.
  }
}
