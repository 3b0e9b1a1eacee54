import { mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
/** What a whole run leaves on a daemon until it is removed is far less. */
const leastBytes = 4 * 1024 ** 3;

/** Makes the directory of a daemon on the disk. */
export function directoryOnDisk(prefix: string): string {
  return mkdtempSync(path.join(tmpdir(), prefix));
}

/**
 * Makes the directory of a daemon in memory, where that has room and lets programs run: a daemon waits for the disk with
 * every container that it makes, podman half of its time, and nothing of it is kept. It is not for what has a root file
 * system below it: podman looks for devices everywhere below /dev, and would find those of that system first.
 */
export function directoryInMemory(prefix: string): string {
  return memoryHasRoom() ? mkdtempSync(path.join(memory, prefix)) : directoryOnDisk(prefix);
}

function memoryHasRoom(): boolean {
  try {
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, place]) => place === memory);
    const [, , type, options = ''] = mount ?? [];
    if (type !== 'tmpfs' || options.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= leastBytes;
  } catch {
    return false; // No Linux, or one without such a place.
  }
}
