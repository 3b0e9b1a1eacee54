import type { Engine } from '../engine.ts';
import { conflict } from '../errors.ts';
import type { Call } from '../http/call.ts';
import type { Image } from './image.ts';
import { wireImageId } from './shapes.ts';

/** DELETE /images/{name} (Document 3, Remove an image). */
export function removeImage(call: Call): void {
  const force = call.query.flag('force');
  const prune = !call.query.flag('noprune');
  call.answer(200, remove(call, call.param('name'), { force, prune }));
}

/** Removes a name of an image, and with its last name the image; returns what was removed. */
function remove(call: Call, name: string, { force, prune }: { force: boolean; prune: boolean }): object[] {
  const { images } = call.engine;
  const image = images.get(name);
  const tag = images.tagOf(name);
  const tags = images.tags(image.id);
  const untagged = { Untagged: wireImageId(image.id, call.api) };
  if (tag !== undefined && tags.length > 1) {
    images.untag(tag);
    return [untagged];
  }
  if (tag === undefined && tags.length > 1 && !force) {
    throw conflict(`image ${name} has several tags: remove them one by one, or force`);
  }
  refuseInUse(call.engine, image, force);
  if (images.children(image.id).length > 0) {
    if (tag === undefined) throw conflict(`image ${name} has child images`);
    images.untag(tag);
    return [untagged];
  }
  const removed: object[] = tags.map(() => untagged);
  for (const gone of removeChain(call.engine, image, prune)) removed.push({ Deleted: wireImageId(gone, call.api) });
  return removed;
}

function refuseInUse(engine: Engine, image: Image, force: boolean): void {
  for (const container of engine.containers.all()) {
    if (container.image.id !== image.id) continue;
    if (container.state.running) throw conflict(`image ${image.id} is used by the running container ${container.id}`);
    if (!force) throw conflict(`image ${image.id} is used by the stopped container ${container.id}`);
  }
}

/** Removes an image and, with `prune`, the nameless parents that nothing else needs. */
function removeChain(engine: Engine, image: Image, prune: boolean): string[] {
  const { images, containers } = engine;
  images.remove(image.id);
  const parent = prune && image.parent ? images.byId(image.parent) : undefined;
  if (!parent || images.tags(parent.id).length > 0 || images.digests(parent.id).length > 0) return [image.id];
  if (images.children(parent.id).length > 0) return [image.id];
  if (containers.all().some((container) => container.image.id === parent.id)) return [image.id];
  return [image.id, ...removeChain(engine, parent, prune)];
}
