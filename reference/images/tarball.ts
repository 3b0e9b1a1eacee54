import { createHash } from 'node:crypto';
import { now } from '../clock.ts';
import { isObject, type JsonObject } from '../http/fields.ts';
import { Tree, treeSize } from '../process/file-system.ts';
import { type Image, readImageConfig } from './image.ts';
import { layerDigest } from './layer-diff.ts';
import { applyLayer, readTar } from './layers.ts';

/** An image of a tarball with the tags that the tarball gives it. */
export interface LoadedImage {
  readonly image: Image;
  readonly tags: readonly string[];
}

type Files = ReadonlyMap<string, Buffer>;

/**
 * Reads an image tarball: the layout with a `manifest.json`, or the one of Document 1 with a directory per layer.
 * Rejects when it is neither. Parents come before their children.
 */
export async function readTarball(archive: Buffer): Promise<LoadedImage[]> {
  const files = new Map<string, Buffer>();
  const links = new Map<string, string>();
  for (const { header, data } of await readTar(archive)) {
    const name = header.name.replace(/^\.\//, '').replace(/\/$/, '');
    if (header.type === 'file') files.set(name, data);
    // A layer that occurs twice may be a link to its first occurrence.
    if (header.type === 'symlink') links.set(name, new URL(header.linkname ?? '', `file:///${name}`).pathname.slice(1));
  }
  for (const [name, target] of links) {
    const data = files.get(target);
    if (data) files.set(name, data);
  }
  const images = files.has('manifest.json') ? await readManifest(files) : await readLayerDirectories(files);
  if (images.length === 0) throw new Error('the tarball holds no image');
  return images;
}

function readObject(files: Files, name: string): JsonObject {
  const value = parse(files, name);
  if (!isObject(value)) throw new Error(`${name} is not a JSON object`);
  return value;
}

function parse(files: Files, name: string): unknown {
  const data = files.get(name);
  if (!data) throw new Error(`the tarball has no ${name}`);
  try {
    return JSON.parse(data.toString());
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function createdAt(value: unknown): bigint {
  const time = Date.parse(text(value));
  if (Number.isNaN(time)) return now();
  // Date has only milliseconds.
  const fraction = /\.(\d{1,9})/.exec(text(value))?.[1] ?? '';
  return BigInt(Math.floor(time / 1000)) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

export function newImage(id: string, parent: string, json: JsonObject, tree: Tree, layers: readonly string[]): Image {
  return {
    id,
    parent,
    created: createdAt(json.created),
    author: text(json.author),
    comment: text(json.comment),
    os: text(json.os) || 'linux',
    architecture: text(json.architecture) || 'amd64',
    container: text(json.container),
    containerConfig: isObject(json.container_config) ? json.container_config : {},
    config: readImageConfig(json.config),
    layers,
    root: tree.root,
    size: treeSize(tree.root),
  };
}

async function readManifest(files: Files): Promise<LoadedImage[]> {
  const manifest = parse(files, 'manifest.json');
  if (!Array.isArray(manifest)) throw new Error('manifest.json is not a list');
  const images: LoadedImage[] = [];
  for (const item of manifest) {
    if (!isObject(item)) throw new Error('manifest.json holds an item that is not an object');
    const name = text(item.Config);
    const json = readObject(files, name);
    const tree = new Tree();
    for (const path of Array.isArray(item.Layers) ? item.Layers : []) {
      const data = files.get(text(path));
      if (!data) throw new Error(`the tarball has no layer ${text(path)}`);
      applyLayer(tree, await readTar(data));
    }
    // The files are kept, and not the archives of the layers: saved again, they are one layer.
    const layers = [await layerDigest(tree.root, undefined)];
    const id = createHash('sha256')
      .update(files.get(name) ?? '')
      .digest('hex');
    const tags = Array.isArray(item.RepoTags) ? item.RepoTags.filter((tag) => typeof tag === 'string') : [];
    images.push({ image: newImage(id, '', json, tree, layers), tags });
  }
  return images;
}

async function readLayerDirectories(files: Files): Promise<LoadedImage[]> {
  const tags = files.has('repositories')
    ? repositoryTags(readObject(files, 'repositories'))
    : new Map<string, string[]>();
  const ids = [...files.keys()]
    .map((name) => /^([0-9a-f]{64})\/json$/.exec(name)?.[1])
    .filter((id) => id !== undefined);
  for (const id of tags.keys()) if (!ids.includes(id)) throw new Error(`the tarball has no layer ${id}`);
  const done = new Map<string, Image>();
  const images: LoadedImage[] = [];
  const read = async (id: string, below: readonly string[]): Promise<Image> => {
    const known = done.get(id);
    if (known) return known;
    if (below.includes(id)) throw new Error(`the layer ${id} is its own parent`);
    const json = readObject(files, `${id}/json`);
    const parentId = text(json.parent);
    const parent = parentId && files.has(`${parentId}/json`) ? await read(parentId, [...below, id]) : undefined;
    if (parentId && !parent) throw new Error(`the tarball has no layer ${parentId}`);
    const layer = files.get(`${id}/layer.tar`);
    if (!layer) throw new Error(`the tarball has no ${id}/layer.tar`);
    const tree = new Tree(parent?.root);
    applyLayer(tree, await readTar(layer));
    const image = newImage(id, parentId, json, tree, [
      ...(parent?.layers ?? []),
      await layerDigest(tree.root, parent?.root),
    ]);
    done.set(id, image);
    images.push({ image, tags: tags.get(id) ?? [] });
    return image;
  };
  for (const id of ids) await read(id, []);
  return images;
}

/** Layer identifiers with their `repository:tag` names in the `repositories` file. */
function repositoryTags(repositories: JsonObject): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [repository, byTag] of Object.entries(repositories)) {
    if (!isObject(byTag)) throw new Error(`repositories: ${repository} is not a map`);
    for (const [tag, id] of Object.entries(byTag)) {
      names.set(text(id), [...(names.get(text(id)) ?? []), `${repository}:${tag}`]);
    }
  }
  return names;
}
