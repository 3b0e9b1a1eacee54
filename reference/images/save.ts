import { pack } from 'tar-stream';
import { timestamp } from '../clock.ts';
import { notFound } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { wholeBytes } from '../whole-bytes.ts';
import { lineage } from './history.ts';
import type { Image } from './image.ts';
import { layerBetween } from './layer-diff.ts';
import { parseReference } from './reference.ts';
import type { ImageStore } from './store.ts';

/** Which images go into an archive, and the names that `repositories` gives them. */
interface Selection {
  readonly images: Map<string, Image>;
  readonly repositories: Map<string, Map<string, string>>;
}

/** GET /images/{name}/get (Document 3, Export images as a tarball). */
export function saveImage(call: Call, name: string): Promise<void> {
  return answerArchive(call, [name]);
}

/** GET /images/get?names=… */
export function saveImages(call: Call): Promise<void> {
  return answerArchive(call, call.query.texts('names'));
}

async function answerArchive(call: Call, names: readonly string[]): Promise<void> {
  const { images } = call.engine;
  if (names.length === 0) throw notFound('names: no image is named');
  const selection: Selection = { images: new Map(), repositories: new Map() };
  for (const name of names) select(selection, images, name);
  const body = await archiveOf(selection, images);
  call.res.writeHead(200, { 'Content-Type': 'application/x-tar', 'Content-Length': body.length });
  call.res.end(body);
}

/** A name without a tag selects its whole repository; an identifier adds no names. */
function select(selection: Selection, images: ImageStore, name: string): void {
  const { repository, tag, digest } = parseReference(name);
  const tags = images.all().flatMap(({ id }) => images.tags(id).map((full) => ({ id, ...parseReference(full) })));
  const named = tags.filter((one) => one.repository === repository && (tag === undefined || one.tag === tag));
  if (digest !== undefined || named.length === 0) {
    const image = images.get(name);
    selection.images.set(image.id, image);
    return;
  }
  for (const one of named) {
    const image = images.get(one.id);
    selection.images.set(image.id, image);
    const byTag = selection.repositories.get(repository) ?? new Map<string, string>();
    selection.repositories.set(repository, byTag.set(one.tag ?? 'latest', image.id));
  }
}

async function archiveOf({ images: chosen, repositories }: Selection, images: ImageStore): Promise<Buffer> {
  const archive = pack();
  const bytes = wholeBytes(archive);
  const all = new Map(
    [...chosen.values()].flatMap((image) => lineage(image, images)).map((image) => [image.id, image]),
  );
  for (const image of all.values()) {
    const parent = images.byId(image.parent);
    archive.entry({ name: `${image.id}/`, type: 'directory', mode: 0o755 });
    archive.entry({ name: `${image.id}/VERSION` }, '1.0');
    archive.entry({ name: `${image.id}/json` }, JSON.stringify(layerJson(image, parent)));
    archive.entry({ name: `${image.id}/layer.tar` }, await layerBetween(image.root, parent?.root));
  }
  if (repositories.size > 0) {
    const map = Object.fromEntries([...repositories].map(([name, tags]) => [name, Object.fromEntries(tags)]));
    archive.entry({ name: 'repositories' }, JSON.stringify(map));
  }
  archive.finalize();
  return bytes;
}

function layerJson(image: Image, parent: Image | undefined): object {
  return {
    id: image.id,
    ...(parent && { parent: parent.id }),
    created: timestamp(image.created),
    container: image.container,
    container_config: image.containerConfig,
    config: image.config.raw,
    author: image.author,
    comment: image.comment,
    architecture: image.architecture,
    os: image.os,
  };
}
