import { buffer } from 'node:stream/consumers';
import { tarOf } from '../containers/tar-writer.ts';
import type { Image } from '../images/image.ts';
import { Tree } from '../process/file-system.ts';
import { subtree, View } from '../process/mounts.ts';
import { digestOf } from './manifest.ts';

/** An image as it goes to a registry. */
export interface StoredImage {
  readonly config: Buffer;
  /** Uncompressed tar archives, lowest first. */
  readonly layers: readonly Buffer[];
}

/** What pulled images were made of, so that they go back as they came. */
const pulled = new WeakMap<Image, StoredImage>();

export function keepStored(image: Image, stored: StoredImage): void {
  pulled.set(image, stored);
}

/** The parts of an image: those it was pulled with, else all its files as one layer. */
export async function storedImage(image: Image): Promise<StoredImage> {
  const known = pulled.get(image);
  if (known) return known;
  const root = { path: [], source: subtree(new Tree(image.root)), readOnly: true };
  const files = new View([{ ...root, type: 'ext4', device: '/dev/sda1', root: '/', flags: '', options: '' }]);
  const layer = await buffer(tarOf(files, '/', ''));
  const config = {
    architecture: image.architecture,
    os: image.os,
    author: image.author,
    comment: image.comment,
    created: new Date(Number(image.created / 1_000_000n)).toISOString(),
    config: image.config.raw,
    history: [{ created_by: 'one layer of all files' }],
    rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
  };
  return { config: Buffer.from(JSON.stringify(config)), layers: [layer] };
}
