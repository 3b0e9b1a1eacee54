import type { View } from './mounts.ts';
import { probeMarker } from './probe.ts';

const probes = new WeakMap<Buffer, boolean>();

function isProbe(data: Buffer): boolean {
  const known = probes.get(data) ?? data.includes(probeMarker);
  probes.set(data, known);
  return known;
}

/** Why a program cannot be started; `code` is the exit code for that. */
export class ExecError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws ExecError unless `command` names the probe, by a path or along PATH. */
export function checkExecutable(view: View, command: string, cwd: string, searchPath: string): void {
  const paths = command.includes('/') ? [command] : searchPath.split(':').map((part) => `${part || '.'}/${command}`);
  let why: readonly [code: number, says: string] = [127, 'no such file or directory'];
  for (const path of command === '' ? [] : paths) {
    try {
      const { node } = view.find(path, cwd);
      if (!node) continue;
      if (node.kind !== 'file' || (node.meta.mode & 0o111) === 0) {
        why = [126, 'permission denied'];
      } else if (isProbe(node.data)) {
        return;
      } else {
        why = [126, 'not a program that this engine can run'];
      }
    } catch {
      // Part of the path is missing: the next directory of PATH may have it.
    }
  }
  const [code, says] = why;
  throw new ExecError(code, `${JSON.stringify(command)}: ${says}`);
}
