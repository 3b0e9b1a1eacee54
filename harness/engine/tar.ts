import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { wholeBytes } from '../streams/whole-bytes.ts';
import { Deviation } from '../verdict/outcomes.ts';

/** One entry of a tar archive. */
export interface TarEntry {
  /** Without a trailing slash, and without a leading slash or `./`; empty for the root directory. */
  readonly name: string;
  /** As in tar-stream: `file`, `directory`, `symlink`, … */
  readonly type: string;
  /** The target of a link, as written; empty for other entries. */
  readonly target: string;
  readonly content: Buffer;
  /** The permission bits. */
  readonly mode: number;
  /** Unix seconds of the last change. */
  readonly time: number;
}

/**
 * The entries of a tar archive, in order.
 * @throws Deviation when the bytes are not an archive, or end within an entry
 */
export async function readTar(bytes: Uint8Array): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  try {
    for await (const entry of Readable.from([Buffer.from(bytes)]).pipe(extract())) {
      const { name, type, linkname, mode, mtime, size } = entry.header;
      // tar-stream waits forever for the content of a member whose size it cannot read.
      if (!Number.isInteger(size)) throw new Error(`the size of ${name} is not a number`);
      const plain = name.replace(/^(\.?\/)+|\/+$/g, '').replace(/^\.$/, '');
      entries.push({
        name: plain,
        type: type ?? 'file',
        target: linkname ?? '',
        content: await wholeBytes(entry),
        mode: (mode ?? 0) & 0o7777,
        time: Math.floor((mtime?.getTime() ?? 0) / 1_000),
      });
    }
  } catch (error) {
    throw noArchive(error instanceof Error ? error.message : String(error), bytes);
  }
  // The reader accepts empty input as an archive without entries, but an archive ends with two blocks of zeros.
  if (bytes.length < 1024) throw noArchive('shorter than the end of an archive', bytes);
  return entries;
}

function noArchive(why: string, bytes: Uint8Array): Deviation {
  return new Deviation('a whole tar archive', `${bytes.length} bytes (${why})`);
}
