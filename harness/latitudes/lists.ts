import { inDescribedObjects } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

const noOrder = { notShown: 'no order of the list is stated' } as const;

/** The order of lists whose order means nothing. */
export const ofLists: readonly Latitude[] = [
  reversesAnswer('containers-reversed', 'GET /containers/json', 'lists containers in another order'),
  reversesAnswer('images-reversed', 'GET /images/json', 'lists images in another order'),
  reversesAnswer('networks-reversed', 'GET /networks', 'lists networks in another order'),
  reversesAnswer('changes-reversed', 'GET /containers/{id}/changes', 'lists changes of files in another order'),
  reversesAnswer('search-reversed', 'GET /images/search', 'lists results of a search in another order'),
  reversesMember('volumes-reversed', 'GET /volumes', 'Volumes', 'lists volumes in another order'),
  reversesMember('processes-reversed', 'GET /containers/{id}/top', 'Processes', 'lists processes in another order'),
  reversesMember('mounts-reversed', 'GET /containers/{id}/json', 'Mounts', 'lists mounts in another order'),
  reversesMember('tags-reversed', 'GET /images/json', 'RepoTags', 'lists the tags of an image in another order'),
  reversesMember(
    'digests-reversed',
    'GET /images/json',
    'RepoDigests',
    'lists the digests of an image in another order',
  ),
  reversesMember('names-reversed', 'GET /containers/json', 'Names', 'lists the names of a container in another order'),
  reversesMember('ports-reversed', 'GET /containers/json', 'Ports', 'lists the ports of a container in another order'),
];

function reversesAnswer(name: string, endpoint: string, says: string): Latitude {
  return {
    name,
    says,
    area: 'lists',
    ground: noOrder,
    of: endpoint,
    json: (value) => (Array.isArray(value) ? value.toReversed() : value),
  };
}

function reversesMember(name: string, endpoint: string, member: string, says: string): Latitude {
  return {
    name,
    says,
    area: 'lists',
    ground: noOrder,
    of: endpoint,
    json: (value, request) =>
      inDescribedObjects(value, request, (object) => {
        const list = object[member];
        return Array.isArray(list) ? { ...object, [member]: list.toReversed() } : object;
      }),
  };
}
