import { createHash } from 'node:crypto';
import path from 'node:path';
import { download } from '../http/download.ts';
import { type DirectoryNode, type FsNode, newFile, segments, Tree } from '../process/file-system.ts';
import { decompress } from './compression.ts';
import { contextNode, insideOf, isTar, readContext } from './context.ts';

/** One thing that is copied into an image. */
interface Source {
  readonly name: string;
  readonly node: FsNode;
  /** It came from a URL: archives stay packed. */
  readonly remote: boolean;
}

/** Where ADD and COPY read from and write to. */
export interface Copying {
  readonly context: DirectoryNode;
  readonly paths: readonly string[];
  readonly workingDir: string;
  /** ADD: URLs are fetched, and archives of the context are unpacked. */
  readonly adds: boolean;
}

/**
 * The sources of ADD or COPY, and a digest that shows whether they have changed. Rejects for one that does not exist.
 */
export async function readSources({ context, paths, adds }: Copying): Promise<{ sources: Source[]; digest: string }> {
  const found = await Promise.all(
    paths.slice(0, -1).map((from) => (adds && /^https?:\/\//.test(from) ? fetched(from) : matching(context, from))),
  );
  const sources = found.flat();
  const hash = createHash('sha256');
  for (const { name, node } of sources) addTo(hash, name, node);
  return { sources, digest: hash.digest('hex') };
}

/** The tree of an image after ADD or COPY. Rejects when the sources do not fit the destination. */
export async function copyInto(
  root: DirectoryNode,
  copying: Copying,
  sources: readonly Source[],
): Promise<DirectoryNode> {
  const { paths, workingDir, adds } = copying;
  const to = paths.at(-1) ?? '';
  const target = insideOf(to.startsWith('/') ? to : `${workingDir}/${to}`);
  const tree = new Tree(root);
  const isDirectory = /(?:^|\/)\.{0,2}$/.test(to) || tree.get(target)?.kind === 'directory';
  if (sources.length > 1 && !isDirectory) throw new Error('several sources need a destination that ends with a slash');
  for (const { name, node, remote } of sources) {
    const unpacked = adds && !remote && node.kind === 'file' ? await unpack(node.data) : undefined;
    const directory = unpacked ?? (node.kind === 'directory' ? node : undefined);
    if (directory) merge(tree, target, directory);
    else tree.set(isDirectory ? [...target, name] : target, owned(node));
  }
  return tree.root;
}

/** The files of an archive; undefined for a file that is not an archive. */
async function unpack(data: Buffer): Promise<DirectoryNode | undefined> {
  try {
    return isTar(await decompress(data)) ? await readContext(data) : undefined;
  } catch {
    return undefined;
  }
}

function merge(tree: Tree, target: readonly string[], directory: DirectoryNode): void {
  const before = tree.get(target);
  if (before?.kind !== 'directory') tree.set(target, { ...directory, meta: root(directory), children: new Map() });
  for (const [name, child] of directory.children) {
    if (child.kind === 'directory') merge(tree, [...target, name], child);
    else tree.set([...target, name], owned(child));
  }
}

/** What is copied belongs to root. */
function owned(node: FsNode): FsNode {
  return { ...node, meta: root(node) };
}

function root({ meta }: FsNode): FsNode['meta'] {
  return { ...meta, uid: 0, gid: 0 };
}

async function fetched(address: string): Promise<Source[]> {
  const data = await download(address);
  const name = segments(new URL(address).pathname).at(-1) ?? '';
  return [{ name, node: newFile(data, 0o600), remote: true }];
}

function matching(context: DirectoryNode, pattern: string): Source[] {
  const exact = contextNode(context, pattern);
  if (exact) return [{ name: path.posix.basename(pattern), node: exact, remote: false }];
  const nodes = insideOf(pattern).reduce<Source[]>(
    (above, part) => above.flatMap(({ node }) => childrenLike(node, part)),
    [{ name: '', node: context, remote: false }],
  );
  if (nodes.length === 0) throw new Error(`${pattern} is not in the context`);
  return nodes;
}

function childrenLike(node: FsNode, pattern: string): Source[] {
  if (node.kind !== 'directory') return [];
  const form = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const wanted = new RegExp(`^${form}$`);
  return [...node.children].flatMap(([name, child]) =>
    wanted.test(name) ? [{ name, node: child, remote: false }] : [],
  );
}

function addTo(hash: ReturnType<typeof createHash>, name: string, node: FsNode): void {
  const content = node.kind === 'file' ? node.data : node.kind === 'link' ? Buffer.from(node.target) : Buffer.alloc(0);
  hash.update(`${JSON.stringify(name)} ${node.kind} ${node.meta.mode} ${content.length}\n`).update(content);
  if (node.kind !== 'directory') return;
  for (const [inner, child] of [...node.children].sort(([a], [b]) => (a < b ? -1 : 1))) addTo(hash, inner, child);
  hash.update('/');
}
