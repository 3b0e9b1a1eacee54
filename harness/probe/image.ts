import { createHash } from 'node:crypto';
import { type ArchiveMember, archive } from './archive.ts';
import { type ProbeArchitecture, probeProgram, psProgram } from './program.ts';

export interface ProbeImageOptions {
  readonly architecture: ProbeArchitecture;
  /** Repository and tag, `name:tag`. */
  readonly tag: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface ProbeImage {
  /** The image tarball, for `POST /images/load`. */
  readonly tar: Buffer;
  /** `sha256:` and the digest of the configuration, the identifier in engines that use it. */
  readonly id: string;
  /** Its parts, for an engine that does not load tarballs. */
  readonly parts: ProbeParts;
}

export interface ProbeParts {
  /** The tar archive of its one layer, which is its whole file system. */
  readonly layer: Buffer;
  /** The JSON text of its configuration, as a registry has it. */
  readonly configuration: Buffer;
  /** The instructions of a build file that build the same image from the layer. */
  readonly instructions: readonly string[];
}

/** Nothing in the image depends on when it is made. */
const created = new Date('2024-01-01T00:00:00Z');

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Makes the probe image as a tarball that old and new engines read: in the format of Document 1 ('Image tarball
 * format': a directory per layer, and `repositories`), with a `manifest.json` and its configuration added. Equal
 * options give equal bytes.
 *
 * @throws RangeError when the tag is not of the form `name:tag`.
 */
export async function probeImage({ architecture, tag, labels = {} }: ProbeImageOptions): Promise<ProbeImage> {
  const [repository, version] = splitTag(tag);
  const layer = await archive(layerMembers(await probeProgram(architecture), await psProgram(architecture)), created);
  const config = {
    Entrypoint: ['/probe'],
    Cmd: ['forever'],
    Env: ['PATH=/', 'PROBE=1'],
    WorkingDir: '',
    Labels: Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  const image = { architecture, os: 'linux', created: created.toISOString(), config };
  const configuration = JSON.stringify({
    ...image,
    history: [{ created: image.created, created_by: 'engine-conformance probe' }],
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
  });
  const digest = sha256(configuration);
  // The older format names a layer and its metadata by one identifier; any that follows from both will do.
  const layerId = sha256(`layer of ${digest}`);
  const tar = await archive(
    [
      { name: `${layerId}/`, mode: 0o755 },
      textMember(`${layerId}/VERSION`, '1.0'),
      textMember(`${layerId}/json`, JSON.stringify({ id: layerId, ...image })),
      { name: `${layerId}/layer.tar`, mode: 0o644, content: layer },
      textMember(`${digest}.json`, configuration),
      textMember(
        'manifest.json',
        JSON.stringify([{ Config: `${digest}.json`, RepoTags: [tag], Layers: [`${layerId}/layer.tar`] }]),
      ),
      textMember('repositories', JSON.stringify({ [repository]: { [version]: layerId } })),
    ],
    created,
  );
  const instructions = [
    ...config.Env.map((variable) => `ENV ${variable}`),
    ...Object.entries(config.Labels).map((label) => `LABEL ${label.map((text) => JSON.stringify(text)).join('=')}`),
    `ENTRYPOINT ${JSON.stringify(config.Entrypoint)}`,
    `CMD ${JSON.stringify(config.Cmd)}`,
  ];
  const parts = { layer, configuration: Buffer.from(configuration), instructions };
  return { tar, id: `sha256:${digest}`, parts };
}

function splitTag(tag: string): readonly [repository: string, version: string] {
  const colon = tag.lastIndexOf(':');
  if (colon < 1 || colon === tag.length - 1 || tag.includes('/', colon)) {
    throw new RangeError(`not of the form name:tag: ${tag}`);
  }
  return [tag.slice(0, colon), tag.slice(colon + 1)];
}

function layerMembers(program: Buffer, ps: Buffer): readonly ArchiveMember[] {
  return [
    { name: 'data/', mode: 0o755 },
    { name: 'etc/', mode: 0o755 },
    textMember('etc/group', 'root:x:0:\nprobe:x:1000:\nextra:x:2000:probe\n'),
    textMember('etc/passwd', 'root:x:0:0:root:/:/probe\nprobe:x:1000:1000:probe:/work:/probe\n'),
    { name: 'probe', mode: 0o755, content: program },
    { name: 'ps', mode: 0o755, content: ps },
    { name: 'tmp/', mode: 0o1777 },
    { name: 'work/', mode: 0o755 },
  ];
}

function textMember(name: string, text: string): ArchiveMember {
  return { name, mode: 0o644, content: Buffer.from(text) };
}
