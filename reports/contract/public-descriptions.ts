import type { Endpoint } from '../../specs/endpoint.ts';
import { type DocumentedVersion, documentedVersions, holdsIn } from '../../specs/versions.ts';

/** moby's published description of an endpoint in one version. */
export interface PublicDescription {
  readonly api: DocumentedVersion;
  readonly href: string;
}

const folder = 'https://github.com/moby/moby/blob/master/api/docs';

/**
 * The headings that differ from those of Documents 2 and 3. All three files have the same headings, each once; later
 * files only add those of the endpoints that are new in their version.
 */
const headings: Readonly<Record<string, string>> = {
  'containers.top': 'List processes running inside a container',
  'containers.changes': "Inspect changes on a container's filesystem",
  'containers.stats': 'Get container stats based on resource usage',
  'containers.pause': 'Pause a container',
  'containers.unpause': 'Unpause a container',
  'containers.attach-ws': 'Attach to a container (websocket)',
  'containers.wait': 'Wait a container',
  'containers.copy': 'Copy files or folders from a container',
  'containers.archive-stat': 'Retrieving information about files and folders in a container',
  'containers.archive-get': 'Get an archive of a filesystem resource in a container',
  'containers.archive-put': 'Extract an archive of files or folders to a directory in a container',
  'images.build': 'Build image from a Dockerfile',
  'images.history': 'Get the history of an image',
  'images.push': 'Push an image on the registry',
  'images.tag': 'Tag an image into a repository',
  'images.commit': "Create a new image from a container's changes",
  'images.save': 'Get a tarball containing all images in a repository',
  'images.save-several': 'Get a tarball containing all images',
  'images.load': 'Load a tarball with a set of images and tags into docker',
  'system.auth': 'Check auth configuration',
  'system.info': 'Display system-wide information',
  'system.version': 'Show the docker version information',
  'system.ping': 'Ping the docker server',
  events: "Monitor Docker's events",
  'volumes.list': 'List volumes',
  'volumes.create': 'Create a volume',
  'volumes.inspect': 'Inspect a volume',
  'volumes.remove': 'Remove a volume',
  'networks.list': 'List networks',
  'networks.inspect': 'Inspect network',
  'networks.create': 'Create a network',
  'networks.connect': 'Connect a container to a network',
  'networks.disconnect': 'Disconnect a container from a network',
  'networks.remove': 'Remove a network',
};

/** Where moby describes an endpoint, oldest version first; nothing for what is not part of its interface. */
export function publicDescriptions(endpoint: Endpoint): PublicDescription[] {
  if (endpoint.server !== undefined) return [];
  const anchor = anchorOf(headings[endpoint.id] ?? endpoint.source[1]);
  return documentedVersions
    .filter((api) => holdsIn(endpoint, api))
    .map((api) => ({ api, href: `${folder}/v${api}.md#${anchor}` }));
}

/** As GitHub makes anchors of headings. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}
