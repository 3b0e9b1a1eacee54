import { createHash } from 'node:crypto';
import type { Image } from '../images/image.ts';
import type { ImageStore } from '../images/store.ts';

/** Remembers which image an instruction made from which, so that a later build need not run it again. */
export class BuildCache {
  readonly #made = new Map<string, string>();

  /** The image that the same instruction made before; undefined when it no longer exists. */
  find(images: ImageStore, key: string): Image | undefined {
    const id = this.#made.get(key);
    const image = id === undefined ? undefined : images.byId(id);
    if (id !== undefined && !image) this.#made.delete(key);
    return image;
  }

  add(key: string, image: Image): void {
    this.#made.set(key, image.id);
  }
}

/** What decides whether an instruction has to be run again: the image below it, and everything it depends on. */
export function cacheKey(parent: Image | undefined, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([parent?.id ?? '', ...parts]))
    .digest('hex');
}
