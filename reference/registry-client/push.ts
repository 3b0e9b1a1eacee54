import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { notFound, serverError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import type { Image } from '../images/image.ts';
import { parseReference, taggedName } from '../images/reference.ts';
import type { ImageStore } from '../images/store.ts';
import { RegistryClient } from './client.ts';
import { headerCredentials } from './credentials.ts';
import { digestOf, mediaTypes } from './manifest.ts';
import { placeOf, type RegistryPlace } from './place.ts';
import { goneSignal, Progress } from './progress.ts';
import { storedImage } from './stored.ts';

interface Push {
  readonly client: RegistryClient;
  readonly place: RegistryPlace;
  readonly progress: Progress;
  readonly images: ImageStore;
}

/** POST /images/{name}/push (Document 3, Push an image): the tag in `tag`, or every tag of the repository. */
export async function pushImage(call: Call, name: string): Promise<void> {
  const { images, events } = call.engine;
  const place = placeOf(name);
  if (!place) {
    const local = parseReference(name);
    images.get(taggedName({ ...local, tag: call.query.text('tag') ?? local.tag }));
    throw serverError(`${name} names no registry to push to`);
  }
  const tags = tagsToPush(call, place);
  if (tags.length === 0) throw notFound(`no such image: ${name}`);
  const credentials = headerCredentials(call);
  const progress = new Progress(call);
  const client = new RegistryClient(place.host, credentials, goneSignal(call));
  try {
    progress.status(`The push refers to repository [${place.repository}]`);
    for (const tag of tags) {
      const reference = `${place.repository}:${tag}`;
      const image = images.get(reference);
      const { digest, size } = await pushOne({ client, place, progress, images }, image, tag);
      images.setDigest(image.id, `${place.repository}@${digest}`);
      events.emit('image', 'push', reference, { name: place.repository, ...image.config.labels });
      progress.status(`${tag}: digest: ${digest} size: ${size}`);
    }
    progress.end();
  } catch (error) {
    progress.fail(error);
  }
}

function tagsToPush(call: Call, place: RegistryPlace): string[] {
  const { images } = call.engine;
  const wanted = call.query.text('tag') ?? place.tag;
  const all = images.all().flatMap(({ id }) => images.tags(id).map(parseReference));
  const own = all.filter(({ repository }) => repository === place.repository).map(({ tag }) => tag ?? 'latest');
  return wanted === undefined ? own : own.filter((tag) => tag === wanted);
}

async function pushOne(push: Push, image: Image, tag: string): Promise<{ digest: string; size: number }> {
  const { client, place } = push;
  const { config, layers } = await storedImage(image, push.images);
  const described: object[] = [];
  for (const layer of layers) {
    const packed = await promisify(gzip)(layer);
    const digest = await pushBlob(push, packed, digestOf(layer).slice(7, 19));
    described.push({ mediaType: mediaTypes.layer, size: packed.length, digest });
  }
  const configDigest = await pushBlob(push, config);
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      config: { mediaType: mediaTypes.config, size: config.length, digest: configDigest },
      layers: described,
    }),
  );
  const put = { method: 'PUT', headers: { 'Content-Type': mediaTypes.manifest }, body: manifest };
  await client.send(`/v2/${place.path}/manifests/${tag}`, put, 201);
  return { digest: digestOf(manifest), size: manifest.length };
}

/** @param shownAs the short identifier in its progress; undefined for no progress */
async function pushBlob({ client, place, progress }: Push, bytes: Buffer, shownAs?: string): Promise<string> {
  const digest = digestOf(bytes);
  const blobs = `/v2/${place.path}/blobs`;
  const there = await client.send(`${blobs}/${digest}`, { method: 'HEAD' }, 200, 404);
  if (there.status === 404) {
    if (shownAs !== undefined) progress.bytes('Pushing', shownAs, 0, bytes.length);
    const begun = await client.send(`${blobs}/uploads/`, { method: 'POST' }, 202);
    const location = begun.headers.get('location') ?? '';
    const target = `${location}${location.includes('?') ? '&' : '?'}digest=${encodeURIComponent(digest)}`;
    const headers = { 'Content-Type': 'application/octet-stream' };
    await client.send(target, { method: 'PUT', headers, body: bytes }, 201);
    if (shownAs !== undefined) progress.bytes('Pushing', shownAs, bytes.length, bytes.length);
  }
  if (shownAs !== undefined) progress.status(there.status === 404 ? 'Pushed' : 'Layer already exists', shownAs);
  return digest;
}
