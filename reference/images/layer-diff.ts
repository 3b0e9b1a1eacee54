import { createHash } from 'node:crypto';
import { type Pack, pack } from 'tar-stream';
import type { DirectoryNode, FsNode } from '../process/file-system.ts';
import { wholeBytes } from '../whole-bytes.ts';

const deviceTypes = { character: 'character-device', block: 'block-device', fifo: 'fifo' } as const;

/** Of a whiteout: a layer has the same digest whenever it is made. */
const noTime = new Date(0);

/**
 * The layer between two trees: a tar archive of what was added or changed, with a whiteout file for what was deleted
 * (Document 1, Image tarball format). Without `before`, all files.
 */
export function layerBetween(after: DirectoryNode, before: DirectoryNode | undefined): Promise<Buffer> {
  const archive = pack();
  const bytes = wholeBytes(archive);
  addChanges(archive, '', after, before);
  archive.finalize();
  return bytes;
}

/** `sha256:…` of the layer between two trees. */
export async function layerDigest(after: DirectoryNode, before: DirectoryNode | undefined): Promise<string> {
  const hash = createHash('sha256').update(await layerBetween(after, before));
  return `sha256:${hash.digest('hex')}`;
}

function addChanges(archive: Pack, prefix: string, after: DirectoryNode, before: FsNode | undefined): void {
  const old: ReadonlyMap<string, FsNode> = before?.kind === 'directory' ? before.children : new Map();
  for (const [name, node] of [...after.children].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const was = old.get(name);
    if (was === node) continue;
    addNode(archive, prefix + name, node);
    if (node.kind === 'directory') addChanges(archive, `${prefix}${name}/`, node, was);
  }
  for (const name of old.keys()) {
    if (!after.children.has(name)) archive.entry({ name: `${prefix}.wh.${name}`, mode: 0o600, mtime: noTime }, '');
  }
}

function addNode(archive: Pack, name: string, node: FsNode): void {
  const { mode, uid, gid, mtime } = node.meta;
  const header = { name, mode, uid, gid, mtime: new Date(mtime) };
  if (node.kind === 'file') archive.entry(header, node.data);
  else if (node.kind === 'link') archive.entry({ ...header, type: 'symlink', linkname: node.target });
  else if (node.kind === 'device') archive.entry({ ...header, type: deviceTypes[node.type] });
  else archive.entry({ ...header, name: `${name}/`, type: 'directory' });
}
