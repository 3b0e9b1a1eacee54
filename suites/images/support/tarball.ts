import path from 'node:path';
import { readTar, type TarEntry } from '../../../harness/engine/tar.ts';
import { type ArchiveMember, archive } from '../../../harness/probe/archive.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { parseJson } from '../../../harness/streams/json.ts';
import { isObject } from '../../../harness/streams/json-path.ts';

const time = new Date('2024-01-01T00:00:00Z');

/** One layer of an image tarball that a check writes. */
export interface WrittenLayer {
  readonly id: string;
  readonly parent?: string;
  readonly config?: Readonly<Record<string, JsonValue>>;
  /** Files by their path; a whiteout is a file with the `.wh.` name of what it deletes. */
  readonly files: Readonly<Record<string, string>>;
  /** Used as the archive of the files, unchanged. */
  readonly archive?: Buffer;
}

/** Plain files as a tar archive. */
export function filesArchive(files: Readonly<Record<string, string>>): Promise<Buffer> {
  return archive(
    Object.entries(files).map(([name, content]) => textMember(name, content)),
    time,
  );
}

/** An image tarball in exactly the format of Document 1 (Image shapes). */
export async function imageTarball(
  layers: readonly WrittenLayer[],
  repositories: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<Buffer> {
  const members: ArchiveMember[] = [];
  for (const { id, parent, config, files, archive: made } of layers) {
    const json = {
      id,
      ...(parent !== undefined && { parent }),
      created: time.toISOString(),
      os: 'linux',
      architecture: 'amd64',
      config: { ...config },
    };
    members.push({ name: `${id}/`, mode: 0o755 });
    members.push(textMember(`${id}/VERSION`, '1.0'));
    members.push(textMember(`${id}/json`, JSON.stringify(json)));
    members.push({ name: `${id}/layer.tar`, mode: 0o644, content: made ?? (await filesArchive(files)) });
  }
  members.push(textMember('repositories', JSON.stringify(repositories)));
  return archive(members, time);
}

function textMember(name: string, text: string): ArchiveMember {
  return { name, mode: 0o644, content: Buffer.from(text) };
}

/** An image tarball, read member by member. */
export interface ReadTarball {
  /** The directories that stand for layers. */
  readonly layers: readonly string[];
  file(name: string): Buffer | undefined;
  /** The JSON of a file; undefined when there is no such file. */
  json(name: string): JsonValue | undefined;
  /** `repositories` as a map from `name:tag` to the identifier of a layer; undefined when there is no such file. */
  readonly names: ReadonlyMap<string, string> | undefined;
}

/** @throws Deviation when the bytes are not an archive */
export async function readTarball(bytes: Uint8Array): Promise<ReadTarball> {
  const entries = await readTar(bytes);
  const file = (name: string): Buffer | undefined => {
    const entry = entries.find((one) => one.name === name && one.type !== 'directory');
    if (entry?.type === 'symlink') return fileAt(entries, path.posix.join(path.posix.dirname(name), entry.target));
    return entry?.type === 'link' ? fileAt(entries, entry.target) : entry?.content;
  };
  const json = (name: string) => {
    const content = file(name);
    return content && parsed(content);
  };
  return { layers: layersOf(entries), file, json, names: namesOf(json('repositories')) };
}

/** What a link points to; one link is followed. */
function fileAt(entries: readonly TarEntry[], name: string): Buffer | undefined {
  return entries.find((entry) => entry.name === name && entry.type === 'file')?.content;
}

/** The form of a layer's identifier is not stated, so a layer is recognized by the content of its directory. */
function layersOf(entries: readonly TarEntry[]): string[] {
  const tops = entries.map(({ name }) => /^([^/]+)\/(?:VERSION|json|layer\.tar)$/.exec(name)?.[1]);
  return [...new Set(tops.filter((top) => top !== undefined))];
}

/** @returns undefined for anything that is not JSON */
export function parsed(content: Buffer): JsonValue | undefined {
  try {
    return parseJson(content.toString('utf8'));
  } catch {
    return undefined;
  }
}

function namesOf(repositories: JsonValue | undefined): Map<string, string> | undefined {
  if (!isObject(repositories)) return undefined;
  const names = Object.entries(repositories).flatMap(([repository, tags]) =>
    Object.entries(isObject(tags) ? tags : {}).map(([tag, layer]) => [`${repository}:${tag}`, String(layer)] as const),
  );
  return new Map(names);
}
