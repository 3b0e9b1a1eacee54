import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Engine } from '../engine.ts';
import { EngineError, notFound, serverError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { isObject } from '../http/fields.ts';
import type { Image } from '../images/image.ts';
import { applyLayer, readTar } from '../images/layers.ts';
import { taggedName } from '../images/reference.ts';
import { newImage } from '../images/tarball.ts';
import { Tree } from '../process/file-system.ts';
import { RegistryClient } from './client.ts';
import { type CredentialsFor, headerCredentials } from './credentials.ts';
import { RegistryError } from './exchange.ts';
import { type Described, digestOf, fetchManifest, fetchTags, type Manifest } from './manifest.ts';
import { placeOf, type RegistryPlace } from './place.ts';
import { goneSignal, Progress, type ProgressListener } from './progress.ts';
import { keepStored } from './stored.ts';

/** What to pull: the reference as it was written, and its manifest. */
interface WantedManifest {
  readonly reference: string;
  readonly manifest: Manifest;
}

/** POST /images/create with fromImage (Document 3, Create an image). */
export async function pullImage(call: Call, fromImage: string): Promise<void> {
  const tag = call.query.text('tag');
  const place = placeOf(fromImage);
  if (!place) throw notFound(`there is no registry to pull ${fromImage} from`);
  const client = new RegistryClient(place.host, headerCredentials(call), goneSignal(call));
  // What cannot be read at all is refused; later failures, while layers are transferred, are reported in the stream.
  const wanted = await findWanted(client, place, tag).catch((error: unknown) => {
    throw refusal(error, fromImage);
  });
  const progress = new Progress(call);
  try {
    for (const one of wanted) await pullOne({ engine: call.engine, client, place, progress }, one);
    progress.end();
  } catch (error) {
    progress.fail(error);
  }
}

/**
 * Pulls one image by its name, as a build does with its base image.
 * @throws RegistryError or another Error when it is not available
 */
export async function pullNamed(
  engine: Engine,
  name: string,
  { credentials, signal, progress }: { credentials: CredentialsFor; signal: AbortSignal; progress: ProgressListener },
): Promise<Image> {
  const place = placeOf(name);
  if (!place) throw new Error(`there is no registry to pull ${name} from`);
  const client = new RegistryClient(place.host, credentials(place.host), signal);
  const [wanted] = await findWanted(client, place, place.digest ?? place.tag ?? 'latest');
  if (!wanted) throw new Error(`there is no ${name}`);
  return pullOne({ engine, client, place, progress }, wanted);
}

async function findWanted(
  client: RegistryClient,
  place: RegistryPlace,
  tag: string | undefined,
): Promise<WantedManifest[]> {
  const named = tag ?? place.digest ?? place.tag;
  const references = named === undefined ? await fetchTags(client, place.path) : [named];
  const wanted: WantedManifest[] = [];
  for (const reference of references) {
    wanted.push({ reference, manifest: await fetchManifest(client, place.path, reference) });
  }
  return wanted;
}

function refusal(error: unknown, name: string): unknown {
  if (!(error instanceof RegistryError)) return error;
  if ([401, 403, 404].includes(error.status)) {
    return notFound(`the repository of ${name} does not exist or may not be read: ${error.message}`);
  }
  return error instanceof EngineError ? error : serverError(error.message);
}

interface Pull {
  readonly engine: Engine;
  readonly client: RegistryClient;
  readonly place: RegistryPlace;
  readonly progress: ProgressListener;
}

async function pullOne(
  { engine, client, place, progress }: Pull,
  { reference, manifest }: WantedManifest,
): Promise<Image> {
  const { images, events } = engine;
  const isDigest = reference.startsWith('sha256:');
  progress.status(`Pulling from ${place.path}`, reference);
  const id = manifest.config.digest.slice('sha256:'.length);
  const known = images.byId(id);
  const image = known ?? (await fetchImage({ client, place, progress }, manifest));
  if (!known) images.add(image);
  const digestName = `${place.repository}@${manifest.digest}`;
  const name = isDigest ? digestName : taggedName({ ...place, tag: reference });
  if (!isDigest) images.tag(image.id, name);
  images.setDigest(image.id, digestName);
  events.emit('image', 'pull', name, { name: place.repository, ...image.config.labels });
  progress.status(`Digest: ${manifest.digest}`);
  progress.status(`Status: ${known ? 'Image is up to date' : 'Downloaded newer image'} for ${name}`);
  return image;
}

async function fetchImage(pull: Omit<Pull, 'engine'>, manifest: Manifest): Promise<Image> {
  const config = await fetchBlob(pull, manifest.config);
  const json: unknown = JSON.parse(config.toString());
  if (!isObject(json)) throw new Error('the configuration of the image is not an object');
  const tree = new Tree();
  const layers: Buffer[] = [];
  for (const described of manifest.layers) {
    const packed = await fetchBlob(pull, described, described.digest.slice(7, 19));
    const isGzip = packed[0] === 0x1f && packed[1] === 0x8b;
    const layer = isGzip ? await promisify(gunzip)(packed) : packed;
    applyLayer(tree, await readTar(layer));
    layers.push(layer);
  }
  const id = manifest.config.digest.slice('sha256:'.length);
  const image = newImage(id, '', json, tree, layers.map(digestOf));
  keepStored(image, { config, layers });
  return image;
}

/** @param shownAs the short identifier in its progress; undefined for no progress */
async function fetchBlob(
  { client, place, progress }: Omit<Pull, 'engine'>,
  { digest, size }: Described,
  shownAs?: string,
): Promise<Buffer> {
  const answer = await client.send(`/v2/${place.path}/blobs/${digest}`, {}, 200);
  const pieces: Uint8Array[] = [];
  let current = 0;
  for await (const piece of answer.body ?? []) {
    if (!(piece instanceof Uint8Array)) continue;
    pieces.push(piece);
    current += piece.length;
    if (shownAs !== undefined) progress.bytes('Downloading', shownAs, current, size);
  }
  const bytes = Buffer.concat(pieces);
  if (digestOf(bytes) !== digest) throw new Error(`the blob ${digest} came with another digest`);
  if (shownAs !== undefined) progress.status('Pull complete', shownAs);
  return bytes;
}
