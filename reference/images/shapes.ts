import type { ApiVersion } from '../../specs/versions.ts';
import { atLeast } from '../../specs/versions.ts';
import type { Words } from '../../specs/words.ts';
import { seconds, timestamp } from '../clock.ts';
import type { JsonObject } from '../http/fields.ts';
import type { Image } from './image.ts';
import type { ImageStore } from './store.ts';

/** The version of the engine itself, as /version and image inspect give it. */
export const engineVersion = '1.11.0';

/** An image identifier as the version writes it: with `sha256:` since 1.23. Empty stays empty. */
export function wireImageId(id: string, api: ApiVersion): string {
  return id && atLeast(api, '1.23') ? `sha256:${id}` : id;
}

/** The item of the image list (Document 1, Image shapes). */
export function imageListItem(image: Image, images: ImageStore, api: ApiVersion, digests: boolean): object {
  const tags = images.tags(image.id);
  return {
    Id: wireImageId(image.id, api),
    ParentId: wireImageId(image.parent, api),
    RepoTags: tags.length > 0 || atLeast(api, '1.43') ? tags : ['<none>:<none>'],
    ...(digests ? { RepoDigests: images.digests(image.id) } : {}),
    Created: seconds(image.created),
    Size: image.size,
    ...(atLeast(api, '1.44') ? {} : { VirtualSize: image.size }),
    Labels: image.config.labels,
  };
}

/** Comment and author of an image; since 1.52 without empty ones (Document 4). */
function describedBy({ comment, author }: Image, words: Words, withoutEmpty: boolean): object {
  return {
    ...(comment || !withoutEmpty ? { Comment: comment } : {}),
    [words.EngineVersion]: engineVersion,
    ...(author || !withoutEmpty ? { Author: author } : {}),
  };
}

const untilTrimmed = [
  ...['Hostname', 'Domainname', 'AttachStdin', 'AttachStdout', 'AttachStderr', 'Tty', 'OpenStdin', 'StdinOnce'],
  ...['Image', 'NetworkDisabled', 'MacAddress', 'StopTimeout'],
];
const leftOutUnset = ['Cmd', 'Entrypoint', 'Env', 'Labels', 'OnBuild', 'User', 'Volumes', 'WorkingDir'];

/** The configuration inside an image: since 1.50 without what only containers have, since 1.52 without what is unset. */
function inspectConfig(raw: JsonObject, api: ApiVersion): JsonObject {
  if (!atLeast(api, '1.50')) return raw;
  const isLeftOut = (value: unknown) => atLeast(api, '1.52') && isUnset(value);
  const members = Object.entries(raw).filter(
    ([name, value]) => !untilTrimmed.includes(name) && !(leftOutUnset.includes(name) && isLeftOut(value)),
  );
  return Object.fromEntries(members);
}

function isUnset(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** The image inspect object (Document 1, Image shapes). */
export function imageInspect(image: Image, images: ImageStore, api: ApiVersion, words: Words): object {
  const common = {
    Id: wireImageId(image.id, api),
    ...(image.parent || !atLeast(api, '1.52') ? { Parent: wireImageId(image.parent, api) } : {}),
    Created: timestamp(image.created),
    ...(atLeast(api, '1.45') ? {} : { Container: image.container, ContainerConfig: image.containerConfig }),
    Size: image.size,
  };
  if (!atLeast(api, '1.21')) return common;
  return {
    ...common,
    RepoTags: images.tags(image.id),
    RepoDigests: images.digests(image.id),
    ...describedBy(image, words, atLeast(api, '1.52')),
    Config: inspectConfig(image.config.raw, api),
    Architecture: image.architecture,
    Os: image.os,
    ...(atLeast(api, '1.44') ? {} : { VirtualSize: image.size }),
    GraphDriver: { Name: 'memory', Data: {} },
    ...(atLeast(api, '1.23') ? { RootFS: { Type: 'layers', Layers: image.layers } } : {}),
  };
}
