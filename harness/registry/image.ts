import { createHash, randomBytes, randomInt } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import { type ArchiveMember, archive } from '../probe/archive.ts';

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
  /** The layer with the file of random bytes. */
  readonly layer: Blob;
  /** The layers above it. */
  readonly above: readonly Blob[];
  /** Its creation time: unique, in whole seconds, so that it distinguishes the image. */
  readonly created: Date;
}

const yearSeconds = 365 * 24 * 3_600;
const schema2 = 'application/vnd.docker.distribution.manifest.v2+json';

/**
 * Makes a unique image: a layer with a file of random bytes, so that a daemon that has it must have pulled it.
 * @param labels the labels of the image, which mark it as the run's
 * @param members what the layer has besides that file, and what each layer above it has
 */
export async function registryImage(
  architecture: string,
  labels: Readonly<Record<string, string>>,
  members: readonly (readonly ArchiveMember[])[] = [],
): Promise<RegistryImage> {
  // A whole second: nothing says how precise an engine's times are.
  const created = new Date((Math.floor(Date.now() / 1000) - randomInt(yearSeconds)) * 1000);
  const content = randomBytes(48 * 1024);
  const [lowest = [], ...upper] = members;
  const layers = [[{ name: 'content', mode: 0o644, content }, ...lowest], ...upper];
  const tars = await Promise.all(layers.map((layer) => archive(layer, created)));
  const configuration = {
    architecture,
    os: 'linux',
    created: created.toISOString(),
    config: { Cmd: ['/content'], Labels: labels },
    history: layers.map(() => ({ created: created.toISOString(), created_by: 'engine-conformance registry' })),
    rootfs: { type: 'layers', diff_ids: tars.map(digestOf) },
  };
  const [tar = Buffer.alloc(0), ...above] = tars;
  return { ...imageOf(tar, Buffer.from(JSON.stringify(configuration)), above), created };
}

/** An image as a registry holds it, of the archives of its layers, lowest first. */
export function imageOf(
  layerTar: Buffer,
  configuration: Buffer,
  aboveIt: readonly Buffer[] = [],
): Omit<RegistryImage, 'created'> {
  // The content is random, and does not get smaller.
  const layerOf = (tar: Buffer) =>
    blob('application/vnd.docker.image.rootfs.diff.tar.gzip', gzipSync(tar, { level: constants.Z_NO_COMPRESSION }));
  const layer = layerOf(layerTar);
  const above = aboveIt.map(layerOf);
  const config = blob('application/vnd.docker.container.image.v1+json', configuration);
  const manifest = jsonBlob(schema2, {
    schemaVersion: 2,
    mediaType: schema2,
    config: described(config),
    layers: [layer, ...above].map(described),
  });
  return { manifest, config, layer, above };
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
