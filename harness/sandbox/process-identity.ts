import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** One process, distinguished from a later one with the same number. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Its start time in the kernel's units; empty where unknown. */
  readonly started: string;
}

export function thisProcess(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, started: kernelView(process.pid).started };
}

/** Whether a process is still alive; unknown for one on another machine. */
export function lifeOf({ host, pid, started }: ProcessIdentity): 'alive' | 'ended' | 'unknown' {
  if (host !== hostname()) return 'unknown';
  if (!exists(pid)) return 'ended';
  const now = kernelView(pid);
  const isAnother = started !== '' && now.started !== '' && now.started !== started;
  return isAnother || now.zombie ? 'ended' : 'alive';
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process cannot be signalled, but exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Start and state of a process from Linux's /proc; other systems have none. */
function kernelView(pid: number): { started: string; zombie: boolean } {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name is in parentheses and may contain anything; the third field follows it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { started: `${boot} ${fields[19] ?? ''}`, zombie: fields[0] === 'Z' };
  } catch {
    return { started: '', zombie: false };
  }
}
