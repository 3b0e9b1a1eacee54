import { posix } from 'node:path';
import { timestamp } from '../../clock.ts';
import { badParameter, notFound } from '../../errors.ts';
import { type FsNode, nodeSize, segments } from '../../process/file-system.ts';
import { FsError } from '../../process/fs-error.ts';
import type { MountedPath, View } from '../../process/mounts.ts';

/** A path of a container as the archive endpoints take it (Document 2, Archive endpoints). */
export interface ArchivePath {
  /** Absolute, without a suffix that asserts a directory. */
  readonly path: string;
  readonly assertsDirectory: boolean;
  /** Whether only the contents of the directory are meant. */
  readonly contentsOnly: boolean;
}

/** Reads a path; a relative path starts at the root. Throws 400 when it is empty. */
export function readArchivePath(text: string | undefined, what = 'parameter path'): ArchivePath {
  if (text === undefined || text === '') throw badParameter(`${what}: is empty`);
  if (text.includes('\0')) throw badParameter(`${what}: has a null byte`);
  const whole = `/${text}`;
  const contentsOnly = /\/\.$/.test(whole);
  const path = posix.normalize(`/${segments(whole).join('/')}`);
  return { path, assertsDirectory: contentsOnly || whole.endsWith('/'), contentsOnly };
}

/** What was found at a path, and the link there, if one was followed. */
export interface FoundPath {
  readonly place: MountedPath;
  readonly node: FsNode;
  readonly isLink: boolean;
}

/**
 * Finds what is at a path and follows a link there. Throws 404 when there is nothing, 400 for something that should be
 * a directory and is not.
 */
export function findArchivePath(view: View, { path, assertsDirectory }: ArchivePath): FoundPath {
  const place = findPlace(view, path);
  const { node } = place;
  if (!node) throw notFound(`no such file or directory: ${path}`);
  if (assertsDirectory && node.kind !== 'directory') throw badParameter(`${path} is not a directory`);
  return { place, node, isLink: view.find(path, '/', false).node?.kind === 'link' };
}

function findPlace(view: View, path: string): MountedPath {
  try {
    return view.find(path);
  } catch (error) {
    if (error instanceof FsError) throw notFound(`no such file or directory: ${path}`);
    throw error;
  }
}

const kindFlags = { file: 0, directory: 2 ** 31, link: 2 ** 27 };
const deviceFlags = { character: 2 ** 26 + 2 ** 21, block: 2 ** 26, fifo: 2 ** 25 };

/** The mode of a path stat: permissions, and above them a flag for the kind of file. */
function statFlags(node: FsNode): number {
  const { mode } = node.meta;
  const flag = (bit: number, value: number): number => (mode & bit ? value : 0);
  const special = flag(0o4000, 2 ** 23) + flag(0o2000, 2 ** 22) + flag(0o1000, 2 ** 20);
  return (node.kind === 'device' ? deviceFlags[node.type] : kindFlags[node.kind]) + special + (mode & 0o777);
}

/** The value of the path stat header (Document 1): for a link, its own name and its target. */
export function pathStatHeader({ path }: ArchivePath, { place, node, isLink }: FoundPath): string {
  const stat = {
    name: posix.basename(path) || '/',
    size: nodeSize(node),
    mode: statFlags(node),
    mtime: timestamp(BigInt(Math.floor(node.meta.mtime)) * 1_000_000n),
    linkTarget: isLink ? `/${place.path.join('/')}` : '',
  };
  return Buffer.from(JSON.stringify(stat)).toString('base64');
}
