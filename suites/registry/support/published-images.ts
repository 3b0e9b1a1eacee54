import { gunzipSync } from 'node:zlib';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given, settled } from '../../../harness/engine/given.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { readTar } from '../../../harness/engine/tar.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { knowsHeaderOnlyAs } from '../../../harness/faults/requests.ts';
import type { User } from '../../../harness/registry/access.ts';
import { type RegistryImage, registryImage } from '../../../harness/registry/image.ts';
import { Registry, type RegistryOptions } from '../../../harness/registry/registry.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { decodeObjects, ObjectViolation } from '../../../harness/streams/objects.ts';
import { Blocked, Deviation } from '../../../harness/verdict/outcomes.ts';
import { type ImageContext, makeImageFrom } from '../../images/support/committed-images.ts';
import { bringImage } from '../../images/support/probe-image.ts';
import { writer } from '../../support/common-containers.ts';

/** A repository in the suite's registry, named for one check. */
export interface Repository {
  readonly registry: Registry;
  /** Its path on the registry. */
  readonly path: string;
  /** Its name for the daemon: host, port and path. */
  readonly name: string;
}

/** Runs a check with its own registry, in which a repository has a name of the sandbox. */
export async function withRegistry<T>(
  engine: Engine,
  options: RegistryOptions,
  run: (repository: Repository) => Promise<T>,
): Promise<T> {
  const registry = await Registry.start(options);
  try {
    const path = engine.name('image');
    return await run({ registry, path, name: `${registry.host}/${path}` });
  } finally {
    await registry.close();
  }
}

/** Puts a new image into the registry under each tag. What the daemon pulls of it is removed when the check ends. */
export async function publish(
  engine: Engine,
  { registry, path, name }: Repository,
  ...tags: readonly string[]
): Promise<RegistryImage> {
  const image = await registryImage(engine.target.architecture, engine.sandbox.labels);
  put(engine, { registry, path, name }, image, tags);
  return image;
}

/** What `publishLayered` leaves of a directory: one file of each layer. */
export const layered = { directory: 'ec-files', files: ['above', 'below'] } as const;

/** The same of an image with two layers, the upper of which adds a file to a directory and deletes another. */
export async function publishLayered(engine: Engine, repository: Repository, tag: string): Promise<RegistryImage> {
  const directory = { name: `${layered.directory}/`, mode: 0o755 };
  const file = (name: string, text = name) => {
    return { name: `${layered.directory}/${name}`, mode: 0o644, content: Buffer.from(text) };
  };
  const image = await registryImage(engine.target.architecture, engine.sandbox.labels, [
    [directory, file('below'), file('gone')],
    [directory, file('.wh.gone', ''), file('above')],
  ]);
  put(engine, repository, image, [tag]);
  return image;
}

function put(engine: Engine, { registry, path, name }: Repository, image: RegistryImage, tags: readonly string[]) {
  for (const tag of tags) {
    registry.contents.putImage(path, tag, image);
    noteImage(engine, `${name}:${tag}`);
  }
  noteImage(engine, `${name}@${image.manifest.digest}`);
}

function noteImage(engine: Engine, name: string): void {
  engine.sandbox.note('image', name);
  engine.made({ kind: 'image', name });
}

/** Loads an image with tags of the repository, to be pushed. @throws Blocked */
export async function loadTagged(engine: Engine, { name }: Repository, ...tags: readonly string[]): Promise<void> {
  for (const tag of tags) {
    // Every image is unique: a daemon that removes an image with all its names removes none of another check.
    const labels = { ...engine.sandbox.labels, 'ec.name': `${name}:${tag}` };
    noteImage(engine, `${name}:${tag}`);
    await bringImage(engine, `${name}:${tag}`, labels);
  }
}

/**
 * Commits an image with a tag of the repository, to be pushed: what a container has written is above the probe. Where
 * commit is not served, it is loaded without that.
 * @returns files that its layers have
 * @throws Blocked
 */
export async function commitTagged({ engine, use }: ImageContext, repository: Repository, tag: string) {
  if (!(await engine.serves('POST', '/commit'))) {
    await loadTagged(engine, repository, tag);
    return ['probe'];
  }
  const name = `${repository.name}:${tag}`;
  noteImage(engine, name);
  const query = { repo: repository.name, tag, changes: `LABEL ec.name=${name}` };
  await makeImageFrom(engine, await use(writer), { query });
  return ['probe', 'ec-written'];
}

/** The X-Registry-Auth header with an AuthConfig, or with an empty one. */
export function registryAuth(authConfig: object = {}): Record<string, string> {
  return { 'X-Registry-Auth': Buffer.from(JSON.stringify(authConfig)).toString('base64') };
}

/** Base64 of JSON with this password has both characters in which the two base64 alphabets differ, at any offset. */
export const passwordWithBothSigns = '>>>>???>>>>???';

/** Reads X-Registry-Auth only in the URL-safe alphabet of base64, like X-Registry-Config. */
export const knowsUrlSafeOnly = knowsHeaderOnlyAs('X-Registry-Auth', /^[^+/]*$/);

/** The AuthConfig of the same user with a wrong password. */
export function wrongPasswordOf({ username }: User): object {
  return { username, password: 'of another user', email: 'user@example.com' };
}

/** The AuthConfig of a user with name and password. */
export function passwordOf({ username, password }: User): object {
  return { username, password, email: 'user@example.com' };
}

/** Pulls, and reads the stream to its end. */
export function pull(engine: Engine, query: Query, headers: Record<string, string> = {}): Promise<Exchange> {
  return engine.post('/images/create', { query, headers });
}

/** Pushes, and reads the stream to its end. X-Registry-Auth is sent even when it is empty. */
export function push(engine: Engine, name: string, query: Query = {}, headers = registryAuth()): Promise<Exchange> {
  return engine.post(`/images/${name}/push`, { query, headers });
}

/** Expects the daemon to have the registry's image under that name. */
export async function expectPulled(engine: Engine, name: string, image: RegistryImage): Promise<void> {
  const answer = await inspect(engine, name);
  expectIsPulled(answer, answer.status === 200 && (await isPulled(engine, answer, name, image)));
}

/** The same of an answer to inspect, and of whether it was of the registry's image. */
export function expectIsPulled(answer: Exchange, isSame: boolean): void {
  expectValue('the status of inspect of the image', answer.status, [answer]).toBe(200);
  expectValue('whether the image is the one in the registry', isSame, [answer]).toBe(true);
}

/** Expects the daemon to have no image under that name. */
export async function expectNone(engine: Engine, name: string): Promise<void> {
  const answer = await inspect(engine, name);
  expectValue('the status of inspect of the image', answer.status, [answer]).toBe(404);
}

/** Requires that the daemon has the registry's image under that name. @throws Blocked */
export async function givenPulled(engine: Engine, name: string, image: RegistryImage): Promise<void> {
  const answer = await given(inspect(engine, name), 200);
  const isSame = await settled(
    isPulled(engine, answer, name, image),
    'comparing the image with the one in the registry',
  );
  if (!isSame) throw new Blocked(`the image in ${answer.id} is not the one to pull`);
}

/**
 * Whether an image is the registry's. Created is the only member of inspect that tells in every version, but neither its
 * form nor its meaning is stated; so where it has another time, the content decides.
 * @param answer the answer to inspect
 * @throws Blocked when the content cannot be read
 */
export async function isPulled(engine: Engine, answer: Exchange, name: string, image: RegistryImage): Promise<boolean> {
  const created = await settled(
    Promise.resolve().then(() => createdIn(answer)),
    `reading Created in ${answer.id}`,
  );
  if (created === image.created.getTime()) return true;
  return (await contentOf(image))?.equals((await contentIn(engine, name)) ?? Buffer.alloc(0)) === true;
}

/** The instant in Created. */
function createdIn({ json }: Exchange): number {
  return new Date(String(valuesAt(json, 'Created')[0])).getTime();
}

/** The file of an image of the registry in a new container of that name, which does not stay. */
async function contentIn(engine: Engine, name: string): Promise<Buffer | undefined> {
  const container = await makeContainer(engine, { config: { Image: name } });
  const answer = await given(engine.get(container.path('archive'), { path: '/content' }), 200, 404);
  await given(container.remove(), 204);
  return answer.status === 404 ? undefined : fileIn(answer.answer.body);
}

/** The first file of an archive. */
async function fileIn(tar: Buffer): Promise<Buffer | undefined> {
  return (await readTar(tar)).find(({ type }) => type === 'file')?.content;
}

/** Whether the registry has a manifest under the tag. */
export function has({ registry, path }: Repository, tag: string): boolean {
  return registry.contents.manifest(path, tag) !== undefined;
}

/** The one file in the layer of a registry's image. */
export async function contentOf({ layer }: RegistryImage): Promise<Buffer | undefined> {
  return fileIn(gunzipSync(layer.bytes));
}

/** What the registry has of a pushed image. */
export interface PushedImage {
  /** How many of the blobs named by its manifest are missing. */
  readonly missing: number;
  /** The texts in which an image has its labels. */
  readonly configuration: string;
  /** The files in its layers; undefined where the compression of one is unknown. */
  readonly files: readonly string[] | undefined;
}

/**
 * Reads what was pushed under a tag. How a manifest names its blobs depends on its schema, so every digest in it
 * counts.
 * @returns undefined where there is no manifest under the tag
 */
export async function pushedImage({ registry, path }: Repository, tag: string): Promise<PushedImage | undefined> {
  const { contents } = registry;
  const texts = [contents.manifest(path, tag)?.bytes.toString('utf8') ?? ''];
  if (texts[0] === '') return undefined;
  const digestsIn = (text: string) => [...new Set(text.match(/sha256:[0-9a-f]{64}/g))];
  let named = digestsIn(texts[0] ?? '');
  // A list of manifests names those of the images.
  const inner = named.flatMap((digest) => contents.manifest(path, digest)?.bytes.toString('utf8') ?? []);
  if (inner.length > 0) named = inner.flatMap(digestsIn);
  texts.push(...inner);
  let files: string[] | undefined = [];
  for (const { bytes } of named.flatMap((digest) => contents.blobs.get(digest) ?? [])) {
    if (bytes[0] === 0x7b) texts.push(bytes.toString('utf8'));
    else {
      const read: readonly string[] | undefined = await filesIn(bytes);
      files = read && files && [...files, ...read];
    }
  }
  const missing = named.filter((digest) => !contents.blobs.has(digest)).length;
  return { missing, configuration: texts.join('\n'), files };
}

/** The files of a layer as it was uploaded; undefined when it is not an archive in a known compression. */
async function filesIn(layer: Buffer): Promise<readonly string[] | undefined> {
  const isGzip = layer[0] === 0x1f && layer[1] === 0x8b;
  const tar = isGzip ? gunzipSync(layer) : layer;
  const isTar = tar.toString('latin1', 257, 262) === 'ustar' || tar.every((byte) => byte === 0);
  return isTar ? (await readTar(tar)).map(({ name }) => name) : undefined;
}

/** Requires that the registry has what was pushed. @throws Blocked */
export function givenPushed(repository: Repository, tag: string): void {
  if (!has(repository, tag)) throw new Blocked(`the daemon has not pushed ${tag} to the registry`);
}

/** Asks for an image by a name. */
export function inspect(engine: Engine, name: string): Promise<Exchange> {
  return engine.get(`/images/${name}/json`);
}

/** The objects of a whole stream. @throws Deviation when it is not a sequence of objects */
export function objectsIn(body: Buffer): JsonValue[] {
  try {
    return decodeObjects(body).map(({ value }) => value);
  } catch (error) {
    if (error instanceof ObjectViolation) throw new Deviation('JSON objects one after another', error.message);
    throw error;
  }
}
