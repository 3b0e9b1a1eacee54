import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { download } from '../http/download.ts';
import { type DirectoryNode, type FsNode, newDirectory, newFile, newMeta, Tree } from '../process/file-system.ts';
import { insideOf } from './context.ts';

/** The address of a Git repository in `remote`, optionally followed by `#reference:directory`. */
const addressForm = /^(https?:\/\/[^#]+\.git)(?:#([^:]*)(?::(.*))?)?$/;

/** Whether an address is that of a Git repository (Document 3, Build an image). */
export function isGitAddress(address: string): boolean {
  return addressForm.test(address);
}

/**
 * The files of a Git repository, read object by object over HTTP (Git's dumb protocol). Rejects for a repository whose
 * objects are in packs, which this engine does not read.
 */
export async function fetchRepository(address: string): Promise<DirectoryNode> {
  const [, url = '', reference = '', directory = ''] = addressForm.exec(address) ?? [];
  const commit = await resolveReference(url, reference || 'HEAD');
  const tree = /^tree ([0-9a-f]{40})$/m.exec((await readObject(url, commit, 'commit')).toString('utf8'))?.[1];
  if (tree === undefined) throw new Error(`${url}: ${commit} is no commit`);
  const root = await readTree(url, tree);
  const found = new Tree(root).get(insideOf(directory));
  if (found?.kind !== 'directory') throw new Error(`${url} has no directory ${directory}`);
  return found;
}

async function resolveReference(url: string, reference: string): Promise<string> {
  if (/^[0-9a-f]{40}$/.test(reference)) return reference;
  const head = reference === 'HEAD' ? (await download(`${url}/HEAD`)).toString('utf8').trim() : reference;
  if (/^[0-9a-f]{40}$/.test(head)) return head;
  const name = head.replace(/^ref: /, '');
  const lines = (await download(`${url}/info/refs`)).toString('utf8').split('\n');
  const known = new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
  const commit = [name, `refs/heads/${name}`, `refs/tags/${name}`].map((one) => known.get(one)).find(Boolean);
  if (commit === undefined) throw new Error(`${url} has no ${reference}`);
  return commit;
}

async function readTree(url: string, id: string): Promise<DirectoryNode> {
  const content = await readObject(url, id, 'tree');
  const children = new Map<string, FsNode>();
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(0, at);
    const [mode = '', name = ''] = content.toString('utf8', at, end).split(' ', 2);
    children.set(name, await readNode(url, mode, content.toString('hex', end + 1, end + 21)));
    at = end + 21;
  }
  return { ...newDirectory(), children };
}

async function readNode(url: string, mode: string, id: string): Promise<FsNode> {
  if (mode === '40000') return readTree(url, id);
  // The content of a submodule is in another repository.
  if (mode === '160000') return newDirectory();
  const content = await readObject(url, id, 'blob');
  if (mode === '120000') return { kind: 'link', meta: newMeta(0o777), target: content.toString('utf8') };
  return newFile(content, mode === '100755' ? 0o755 : 0o644);
}

async function readObject(url: string, id: string, type: string): Promise<Buffer> {
  const packed = await download(`${url}/objects/${id.slice(0, 2)}/${id.slice(2)}`);
  const object = await promisify<Buffer, Buffer>(inflate)(packed);
  const end = object.indexOf(0);
  if (!object.toString('latin1', 0, end).startsWith(`${type} `)) throw new Error(`${url}: ${id} is no ${type}`);
  return object.subarray(end + 1);
}
