import { badParameter, EngineError, serverError } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import { readTar, type TarEntry, tarNode } from '../../images/layers.ts';
import { type FsNode, newDirectory, segments } from '../../process/file-system.ts';
import { FsError } from '../../process/fs-error.ts';
import type { MountedPath, View } from '../../process/mounts.ts';
import { findArchivePath, readArchivePath } from './archive-path.ts';
import { archiveView } from './archive-view.ts';

const largestArchive = 1024 * 1024 * 1024;

/** PUT /containers/{id}/archive (Document 2, Archive endpoints). */
export async function putArchive(call: Call): Promise<void> {
  const container = call.engine.containers.get(call.param('id'));
  const path = readArchivePath(call.query.text('path'));
  const keepsKinds = call.query.flag('noOverwriteDirNonDir');
  const view = archiveView(container);
  const { place } = findArchivePath(view, { ...path, assertsDirectory: true });
  checkWritable(place);
  const entries = await readEntries(await call.bytes(largestArchive));
  const target = { view, base: place.path, keepsKinds };
  for (const entry of entries) check(target, entry);
  for (const entry of entries) unpack(target, entry);
  call.answerEmpty(200);
}

async function readEntries(body: Buffer): Promise<TarEntry[]> {
  try {
    return await readTar(body);
  } catch (error) {
    throw badParameter(`the body is no tar archive: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Where an archive is unpacked. */
interface Target {
  readonly view: View;
  readonly base: readonly string[];
  /** Whether directories and other files must not replace each other. */
  readonly keepsKinds: boolean;
}

function checkWritable({ mount, path }: MountedPath): void {
  if (mount.readOnly || !mount.source.set)
    throw new EngineError(403, `/${path.join('/')} is on a read-only filesystem`);
}

/** The segments of an entry's name; they never lead out of the directory. */
function partsOf({ header }: TarEntry): string[] {
  return segments(header.name).filter((part) => part !== '..');
}

/** A place below the target; links on the way are followed inside the container. Undefined while a part is missing. */
function placeOf({ view, base }: Target, parts: readonly string[]): MountedPath | undefined {
  try {
    return view.find(`/${[...base, ...parts].join('/')}`, '/', false);
  } catch (error) {
    if (error instanceof FsError) return undefined;
    throw error;
  }
}

/** Throws 400 or 403 for an entry that must not be unpacked. */
function check(target: Target, entry: TarEntry): void {
  const parts = partsOf(entry);
  let deepest: MountedPath | undefined;
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const place = placeOf(target, parts.slice(0, depth));
    if (!place) continue;
    deepest = place;
    const isWhole = depth === parts.length;
    if (place.node?.kind === 'link' && !isWhole) continue;
    checkKind(target, place, !isWhole || entry.header.type === 'directory');
  }
  if (deepest) checkWritable(deepest);
}

function checkKind({ keepsKinds }: Target, { node, inner, path }: MountedPath, isDirectory: boolean): void {
  if (!node || (node.kind === 'directory') === isDirectory) return;
  const where = `/${path.join('/')}`;
  if (inner.length === 0) throw badParameter(`cannot replace ${where}: something is mounted there`);
  if (!keepsKinds) return;
  throw badParameter(
    isDirectory
      ? `cannot overwrite the non-directory ${where} with a directory`
      : `cannot overwrite the directory ${where} with a non-directory`,
  );
}

function unpack(target: Target, entry: TarEntry): void {
  const parts = partsOf(entry);
  const node = tarNode(entry.header, entry.data, (name) => placeOf(target, segments(name))?.node);
  if (!node || parts.length === 0) return;
  // An archive may leave out the directories on the way to an entry.
  for (let depth = 1; depth < parts.length; depth += 1) {
    const place = placeOf(target, parts.slice(0, depth));
    if (place && place.node?.kind !== 'directory' && place.node?.kind !== 'link') put(place, newDirectory());
  }
  const place = placeOf(target, parts);
  if (!place) throw serverError(`cannot unpack ${entry.header.name}: a link on the way leads nowhere`);
  put(place, node);
}

function put({ mount, inner, node: before }: MountedPath, node: FsNode): void {
  const { source } = mount;
  if (node.kind === 'directory' && before?.kind === 'directory') {
    source.set?.(inner, { ...node, children: before.children });
    return;
  }
  if (before) source.delete?.(inner);
  source.set?.(inner, node);
}
