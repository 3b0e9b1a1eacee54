import { badParameter } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { labelsMatch } from '../http/query.ts';
import type { Image } from './image.ts';
import { parseReference, taggedName } from './reference.ts';
import { imageListItem } from './shapes.ts';

/** GET /images/json (Document 3, List images). */
export function listImages(call: Call): void {
  const { images } = call.engine;
  const filters = call.query.filters(['dangling', 'label', 'filter']);
  const all = call.query.flag('all');
  const digests = call.query.flag('digests');
  // Since 1.41 the parameter `filter` is ignored (Document 4).
  const only = call.since('1.41') ? undefined : call.query.text('filter');
  const names = [...(filters.get('filter') ?? []), ...(only === undefined ? [] : [only])];
  const dangling = readDangling(filters.get('dangling'));
  const isShown = (image: Image): boolean => {
    const tags = images.tags(image.id);
    const named = tags.length > 0 || images.digests(image.id).length > 0;
    const isIntermediate = !named && images.children(image.id).length > 0;
    if (dangling === undefined ? isIntermediate && !all : isIntermediate || dangling === named) return false;
    return names.every((name) => hasName(tags, name)) && labelsMatch(image.config.labels, filters.get('label'));
  };
  const shown = images.all().filter(isShown);
  shown.sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0));
  call.answer(
    200,
    shown.map((image) => imageListItem(image, images, call.api, digests)),
  );
}

function readDangling(values: readonly string[] | undefined): boolean | undefined {
  const value = values?.[0];
  if (value === undefined) return undefined;
  if (['true', 'True', '1'].includes(value)) return true;
  if (['false', 'False', '0'].includes(value)) return false;
  throw badParameter(`filters: dangling=${JSON.stringify(value)} is not a flag`);
}

function hasName(tags: readonly string[], name: string): boolean {
  const wanted = parseReference(name);
  if (wanted.tag !== undefined) return tags.includes(taggedName(wanted));
  return tags.some((tag) => parseReference(tag).repository === wanted.repository);
}
