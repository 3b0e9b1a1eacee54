import type { Fault } from './fault.ts';
import { changesStream } from './streams.ts';

const block = 512;

/** Leaves one entry out of a tar archive. */
export function dropsTarEntry(name: string): Fault {
  return changesEntry(`leaves ${name} out of the archive`, name, () => Buffer.alloc(0));
}

/** Has other content of the same size for one entry of a tar archive. */
export function emptiesTarEntry(name: string): Fault {
  return changesEntry(`has zeros for the content of ${name}`, name, (entry) =>
    Buffer.concat([entry.subarray(0, block), Buffer.alloc(entry.length - block)]),
  );
}

/** Changes the blocks of one entry of an archive whose names are shorter than 100 bytes, as those of the suite are. */
function changesEntry(what: string, name: string, change: (entry: Buffer) => Buffer): Fault {
  return changesStream(what, (bytes) => {
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const size = Number.parseInt(text(bytes, at + 124, 12), 8) || 0;
      const end = at + block + Math.ceil(size / block) * block;
      const entry = bytes.subarray(at, end);
      parts.push(text(bytes, at, 100).replace(/^\.?\//, '') === name ? change(entry) : entry);
      at = end;
    }
    return Buffer.concat(parts);
  });
}

function text(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', at, at + length).replace(/\0.*$/s, '');
}
