import { createHash, randomBytes, randomInt } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { archive } from '../probe/archive.ts';

/** A blob or manifest as a registry stores it. */
export interface Blob {
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

/** An image as a registry holds it. */
export interface RegistryImage {
  readonly manifest: Blob;
  readonly config: Blob;
  readonly layer: Blob;
  /** Its creation time: unique, in whole seconds, so that it distinguishes the image. */
  readonly created: Date;
}

const yearSeconds = 365 * 24 * 3_600;
const schema2 = 'application/vnd.docker.distribution.manifest.v2+json';

/**
 * Makes a unique image: one layer with a file of random bytes, so that a daemon that has it must have pulled it.
 * @param labels the labels of the image, which mark it as the run's
 */
export async function registryImage(
  architecture: string,
  labels: Readonly<Record<string, string>>,
): Promise<RegistryImage> {
  // A whole second: nothing says how precise an engine's times are.
  const created = new Date((Math.floor(Date.now() / 1000) - randomInt(yearSeconds)) * 1000);
  const content = randomBytes(48 * 1024);
  const tar = await archive([{ name: 'content', mode: 0o644, content }], created);
  const configuration = {
    architecture,
    os: 'linux',
    created: created.toISOString(),
    config: { Cmd: ['/content'], Labels: labels },
    history: [{ created: created.toISOString(), created_by: 'engine-conformance registry' }],
    rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
  };
  return { ...imageOf(tar, Buffer.from(JSON.stringify(configuration))), created };
}

/** An image of one layer as a registry holds it. */
export function imageOf(layerTar: Buffer, configuration: Buffer): Omit<RegistryImage, 'created'> {
  const layer = blob('application/vnd.docker.image.rootfs.diff.tar.gzip', gzipSync(layerTar));
  const config = blob('application/vnd.docker.container.image.v1+json', configuration);
  const manifest = jsonBlob(schema2, {
    schemaVersion: 2,
    mediaType: schema2,
    config: described(config),
    layers: [described(layer)],
  });
  return { manifest, config, layer };
}

/** Bytes with the digest by which a registry names them. */
export function blob(mediaType: string, bytes: Buffer): Blob {
  return { mediaType, bytes, digest: digestOf(bytes) };
}

function jsonBlob(mediaType: string, json: object): Blob {
  return blob(mediaType, Buffer.from(JSON.stringify(json)));
}

function described({ mediaType, bytes, digest }: Blob): object {
  return { mediaType, size: bytes.length, digest };
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
