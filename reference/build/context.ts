import { readTar, tarNode } from '../images/layers.ts';
import { type DirectoryNode, type FsNode, segments, Tree } from '../process/file-system.ts';
import { decompress } from './compression.ts';

/** The files of a build context, from a tar archive that may be compressed. Rejects for anything else. */
export async function readContext(bytes: Buffer): Promise<DirectoryNode> {
  const archive = await decompress(bytes);
  if (archive.length > 0 && !isTar(archive)) throw new Error('the context is not a tar archive');
  const tree = new Tree();
  for (const { header, data } of await readTar(archive)) {
    const path = insideOf(header.name);
    const node = tarNode(header, data, (name) => tree.get(insideOf(name)));
    if (!node || path.length === 0) continue;
    const before = tree.get(path);
    const isKnown = node.kind === 'directory' && before?.kind === 'directory';
    tree.set(path, isKnown ? { ...node, children: before.children } : node);
  }
  return tree.root;
}

/** Whether bytes begin like a tar archive, in the old or the POSIX format. */
export function isTar(bytes: Buffer): boolean {
  if (bytes.length < 512) return false;
  const header = bytes.subarray(0, 512);
  const noted = Number.parseInt(header.toString('latin1', 148, 156).replace(/[\0 ]+$/, ''), 8);
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  // An archive without members begins with a block of zeros.
  return noted === sum || header.every((byte) => byte === 0);
}

/** The segments of a path in a context; none leads out of the context. */
export function insideOf(path: string): string[] {
  const inside: string[] = [];
  for (const part of segments(path)) {
    if (part === '..') inside.pop();
    else inside.push(part);
  }
  return inside;
}

/** The node at a path of a context, without following links. */
export function contextNode(root: DirectoryNode, path: string): FsNode | undefined {
  return new Tree(root).get(insideOf(path));
}
