import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { Deviation } from '../verdict/outcomes.ts';

/** One entry of a tar archive. */
export interface TarEntry {
  /** Without a slash at its end, and without a slash or `./` before it; empty for the directory that is the root. */
  readonly name: string;
  /** As tar-stream names it: `file`, `directory`, `symlink`, … */
  readonly type: string;
  /** Where a link leads, as it is written; empty for what is none. */
  readonly target: string;
  readonly content: Buffer;
  /** The permission bits. */
  readonly mode: number;
  /** UNIX seconds of the last change. */
  readonly time: number;
}

/**
 * The entries of a tar archive, in its order.
 * @throws Deviation when the bytes are no archive, or end within an entry
 */
export async function readTar(bytes: Uint8Array): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  try {
    for await (const entry of Readable.from([Buffer.from(bytes)]).pipe(extract())) {
      const { name, type, linkname, mode, mtime, size } = entry.header;
      // tar-stream waits for ever for the content of a member whose size it cannot read.
      if (!Number.isInteger(size)) throw new Error(`the size of ${name} is no number`);
      const plain = name.replace(/^(\.?\/)+|\/+$/g, '').replace(/^\.$/, '');
      entries.push({
        name: plain,
        type: type ?? 'file',
        target: linkname ?? '',
        content: await buffer(entry),
        mode: (mode ?? 0) & 0o7777,
        time: Math.floor((mtime?.getTime() ?? 0) / 1_000),
      });
    }
  } catch (error) {
    throw noArchive(error instanceof Error ? error.message : String(error), bytes);
  }
  // The reader takes an empty text for an archive without entries, but an archive ends with two blocks of zeros.
  if (bytes.length < 1024) throw noArchive('shorter than the end of an archive', bytes);
  return entries;
}

function noArchive(why: string, bytes: Uint8Array): Deviation {
  return new Deviation('a whole tar archive', `${bytes.length} bytes (${why})`);
}
