import { timestamp } from '../clock.ts';
import type { Image } from '../images/image.ts';
import { layerBetween } from '../images/layer-diff.ts';
import type { ImageStore } from '../images/store.ts';
import { digestOf } from './manifest.ts';

/** An image as it is stored in a registry. */
export interface StoredImage {
  readonly config: Buffer;
  /** Uncompressed tar archives, lowest first. */
  readonly layers: readonly Buffer[];
}

/** The parts of pulled images, so that they are pushed unchanged. */
const pulled = new WeakMap<Image, StoredImage>();

export function keepStored(image: Image, stored: StoredImage): void {
  pulled.set(image, stored);
}

/** The parts of an image: those it was pulled with, or else one layer on top of its parent's. */
export async function storedImage(image: Image, images: ImageStore): Promise<StoredImage> {
  const known = pulled.get(image);
  if (known) return known;
  const parent = images.byId(image.parent);
  const below = parent ? (await storedImage(parent, images)).layers : [];
  const layers = [...below, await layerBetween(image.root, parent?.root)];
  const config = {
    architecture: image.architecture,
    os: image.os,
    author: image.author,
    comment: image.comment,
    created: timestamp(image.created),
    config: image.config.raw,
    history: layers.map(() => ({ created: timestamp(image.created) })),
    rootfs: { type: 'layers', diff_ids: layers.map(digestOf) },
  };
  return { config: Buffer.from(JSON.stringify(config)), layers };
}
