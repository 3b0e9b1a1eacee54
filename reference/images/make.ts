import { createHash } from 'node:crypto';
import { now, timestamp } from '../clock.ts';
import type { JsonObject } from '../http/fields.ts';
import { type DirectoryNode, Tree, treeSize } from '../process/file-system.ts';
import { type Image, readImageConfig } from './image.ts';
import { layerDigest } from './layer-diff.ts';
import { applyLayer, readTar } from './layers.ts';

/** The parts of a new image. */
export interface ImageParts {
  /** The base image; none for an image from scratch. */
  readonly parent: Image | undefined;
  /** All files of the image, including those of its parents. */
  readonly root: DirectoryNode;
  /** The configuration that containers inherit. */
  readonly config: JsonObject;
  readonly author?: string;
  readonly comment?: string;
  /** Identifier of the container it was made from. */
  readonly container?: string;
  readonly containerConfig?: JsonObject;
}

/** Makes an image with one layer over its parent. It is not in a store and has no name yet. */
export async function makeImage({ parent, root, config, ...parts }: ImageParts): Promise<Image> {
  const created = now();
  const described = {
    parent: parent?.id ?? '',
    created,
    author: parts.author ?? '',
    comment: parts.comment ?? '',
    os: 'linux',
    architecture: parent?.architecture ?? 'amd64',
    container: parts.container ?? '',
    containerConfig: parts.containerConfig ?? {},
    layers: [...(parent?.layers ?? []), await layerDigest(root, parent?.root)],
  };
  const text = JSON.stringify({ ...described, created: timestamp(created), config });
  const id = createHash('sha256').update(text).digest('hex');
  return { ...described, id, config: readImageConfig(config), root, size: treeSize(root) };
}

/** The files of a parent with a layer, a plain tar archive, applied. Rejects for a broken archive. */
export async function rootWithLayer(below: DirectoryNode | undefined, layer: Buffer): Promise<DirectoryNode> {
  const tree = new Tree(below);
  applyLayer(tree, await readTar(layer));
  return tree.root;
}
