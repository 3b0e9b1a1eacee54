import { seconds } from '../clock.ts';
import type { Call } from '../http/call.ts';
import { changedSize } from '../process/file-system.ts';
import type { Image } from './image.ts';
import { wireImageId } from './shapes.ts';
import type { ImageStore } from './store.ts';

/** An image and its parents, the image first. */
export function lineage(image: Image, images: ImageStore): Image[] {
  const parent = image.parent ? images.byId(image.parent) : undefined;
  return parent ? [image, ...lineage(parent, images)] : [image];
}

/** GET /images/{name}/history (Document 3, Image history). */
export function imageHistory(call: Call, name: string): void {
  const { images } = call.engine;
  const items = lineage(images.get(name), images).map((image) => {
    const tags = images.tags(image.id);
    const { Cmd } = image.containerConfig;
    return {
      Id: wireImageId(image.id, call.api),
      Created: seconds(image.created),
      CreatedBy: Array.isArray(Cmd) ? Cmd.join(' ') : '',
      Tags: tags.length > 0 ? tags : null,
      Size: changedSize(image.root, images.byId(image.parent)?.root),
      Comment: image.comment,
    };
  });
  call.answer(200, items);
}
