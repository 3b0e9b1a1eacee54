import { createHash } from 'node:crypto';
import { isObject } from '../http/fields.ts';
import type { RegistryClient } from './client.ts';
import { RegistryError } from './exchange.ts';

export const mediaTypes = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  list: 'application/vnd.docker.distribution.manifest.list.v2+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
  ociManifest: 'application/vnd.oci.image.manifest.v1+json',
  ociIndex: 'application/vnd.oci.image.index.v1+json',
} as const;

const accepted = [mediaTypes.manifest, mediaTypes.list, mediaTypes.ociManifest, mediaTypes.ociIndex].join(', ');

/** A blob named by a manifest. */
export interface Described {
  readonly digest: string;
  readonly size: number;
}

export interface Manifest {
  /** Digest of what was requested: of the list, if it is one. */
  readonly digest: string;
  readonly config: Described;
  readonly layers: readonly Described[];
}

export function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Gets the manifest of an image, through a list of platforms if there is one. @throws RegistryError */
export async function fetchManifest(client: RegistryClient, path: string, reference: string): Promise<Manifest> {
  const answer = await client.send(`/v2/${path}/manifests/${reference}`, { headers: { Accept: accepted } }, 200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const digest = digestOf(bytes);
  if (reference.startsWith('sha256:') && reference !== digest) throw broken('the manifest has another digest');
  const json = parse(bytes);
  if (Array.isArray(json.manifests)) {
    const own = json.manifests.find(
      (item) => isObject(item) && isObject(item.platform) && item.platform.os === 'linux' && isAmd64(item.platform),
    );
    return { ...(await fetchManifest(client, path, described(own).digest)), digest };
  }
  if (!Array.isArray(json.layers)) throw broken('the manifest names no layers');
  return { digest, config: described(json.config), layers: json.layers.map(described) };
}

function isAmd64(platform: Readonly<Record<string, unknown>>): boolean {
  return platform.architecture === 'amd64';
}

/** The tags of a repository. @throws RegistryError */
export async function fetchTags(client: RegistryClient, path: string): Promise<string[]> {
  const json = await client.json(`/v2/${path}/tags/list`, 'application/json');
  if (!isObject(json) || !Array.isArray(json.tags)) throw broken('the list of tags is none');
  return json.tags.filter((tag) => typeof tag === 'string');
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString());
  } catch {
    json = undefined;
  }
  if (!isObject(json)) throw broken('the manifest is not a JSON object');
  return json;
}

function described(value: unknown): Described {
  if (!isObject(value) || typeof value.digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(value.digest)) {
    throw broken('the manifest names a blob without a digest');
  }
  return { digest: value.digest, size: typeof value.size === 'number' ? value.size : 0 };
}

function broken(message: string): RegistryError {
  return new RegistryError(0, message);
}
