import { pack } from 'tar-stream';
import { wholeBytes } from '../streams/whole-bytes.ts';

/** One member of a tar archive: a regular file when it has content, else a directory. */
export interface ArchiveMember {
  readonly name: string;
  readonly mode: number;
  readonly content?: Buffer;
}

/** Writes members in the order given, owned by root, all with the same time, so that equal members give equal bytes. */
export async function archive(members: readonly ArchiveMember[], time: Date): Promise<Buffer> {
  const stream = pack();
  const bytes = wholeBytes(stream);
  for (const { name, mode, content } of members) {
    const header = { name, mode, mtime: time, uid: 0, gid: 0 };
    if (content === undefined) stream.entry({ ...header, type: 'directory' });
    else stream.entry({ ...header, type: 'file' }, content);
  }
  stream.finalize();
  return bytes;
}
