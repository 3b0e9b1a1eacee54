import { extract } from 'tar-stream';

/** The entries of a tar archive. */
export async function untar(archive: Buffer) {
  const reader = extract();
  reader.end(archive);
  const entries: { name: string; type: unknown; linkname: unknown; data: Buffer }[] = [];
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const { name, type, linkname } = entry.header;
    entries.push({ name, type, linkname, data: Buffer.concat(chunks) });
  }
  return entries;
}
