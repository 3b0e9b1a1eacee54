import { extract, type Header } from 'tar-stream';
import { type FsNode, newDirectory, newMeta, segments, type Tree } from '../process/file-system.ts';
import { wholeBytes } from '../whole-bytes.ts';

/** One entry of a tar archive. */
export interface TarEntry {
  readonly header: Header;
  readonly data: Buffer;
}

/** Reads a whole tar archive; rejects when it is broken or ends too early. */
export async function readTar(archive: Buffer): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  const reader = extract();
  reader.end(archive);
  for await (const entry of reader) {
    // tar-stream waits forever for the content of a member whose size it cannot read.
    if (!Number.isInteger(entry.header.size)) throw new Error(`the size of ${entry.header.name} is no number`);
    entries.push({ header: entry.header, data: await wholeBytes(entry) });
  }
  return entries;
}

const whiteout = '.wh.';
const opaque = '.wh..wh..opq';

/** Applies a layer to a tree, with aufs-style whiteouts (Document 1, Image tarball format). */
export function applyLayer(tree: Tree, entries: readonly TarEntry[]): void {
  for (const { header, data } of entries) {
    const path = segments(header.name).filter((part) => part !== '..');
    const name = path.at(-1);
    if (name === opaque) {
      const directory = tree.get(path.slice(0, -1));
      if (directory?.kind === 'directory') tree.set(path.slice(0, -1), { ...directory, children: new Map() });
    } else if (name?.startsWith(whiteout)) {
      tree.delete([...path.slice(0, -1), name.slice(whiteout.length)]);
    } else {
      put(tree, path, header, data);
    }
  }
  keepTimes(tree, entries);
}

/** Adding to a directory after its own entry does not change its modification time. */
function keepTimes(tree: Tree, entries: readonly TarEntry[]): void {
  for (const { header } of entries) {
    if (header.type !== 'directory' || !header.mtime) continue;
    const path = segments(header.name).filter((part) => part !== '..');
    const node = tree.get(path);
    if (node?.kind === 'directory') tree.set(path, { ...node, meta: { ...node.meta, mtime: header.mtime.getTime() } });
  }
}

function put(tree: Tree, path: readonly string[], header: Header, data: Buffer): void {
  const node = tarNode(header, data, (name) => tree.get(segments(name)));
  if (!node) return;
  const before = tree.get(path);
  if (node.kind === 'directory') {
    tree.set(path, before?.kind === 'directory' ? { ...node, children: before.children } : node);
  } else if (path.length > 0) {
    tree.set(path, node);
  }
}

/** The node of a tar entry; `linked` finds the target of a hard link. Undefined for an entry that is not a file. */
export function tarNode(
  header: Header,
  data: Buffer,
  linked: (name: string) => FsNode | undefined,
): FsNode | undefined {
  const meta = newMeta((header.mode ?? 0o644) & 0o7777, header.uid ?? 0, header.gid ?? 0, header.mtime?.getTime() ?? 0);
  switch (header.type) {
    case 'file':
    case 'contiguous-file':
    case null:
    case undefined:
      return { kind: 'file', meta, data };
    case 'directory':
      return { ...newDirectory(), meta };
    case 'symlink':
      return { kind: 'link', meta, target: header.linkname ?? '' };
    case 'link':
      return linked(header.linkname ?? '');
    case 'character-device':
      return { kind: 'device', meta, type: 'character' };
    case 'block-device':
      return { kind: 'device', meta, type: 'block' };
    case 'fifo':
      return { kind: 'device', meta, type: 'fifo' };
    default:
      return undefined;
  }
}
