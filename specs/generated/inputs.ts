import { running } from '../common-rules.ts';
import { createRules } from '../containers/create.ts';
import { updateRules } from '../containers/update.ts';
import { commitRules } from '../images/commit.ts';
import { keysOf } from '../keys.ts';
import { isStatedRuleId, type StatedRuleId } from '../stated.ts';
import { request } from '../token/request.ts';
import { properties } from './properties.ts';

/** The rules about a body's members themselves and, with few exceptions, not about what is inside them. */
function membersOf<const Rules extends object>(
  rules: Rules,
  prefix: string,
  except: readonly string[] = [],
): Extract<keyof Rules, StatedRuleId>[] {
  const isStated = (id: keyof Rules & string): id is Extract<keyof Rules & string, StatedRuleId> => isStatedRuleId(id);
  return keysOf(rules)
    .filter(isStated)
    .filter((id) => {
      const member = id.startsWith(prefix) ? id.slice(prefix.length) : '';
      return /^\w+$/.test(member) && !except.includes(member);
    });
}

/** Generated requests: valid ones, and ones with a single defect. */
export const inputProperties = properties('generated.inputs', {
  'container-names': {
    says: 'a container accepts every name of permitted characters, with or without a leading slash, and is found by it and by no earlier name',
    source: [1, 'Limits'],
    decides: [
      'containers.create.limits.name-letters',
      'containers.create.limits.name-slash',
      'containers.create.limits.name-refused',
      'containers.create.name',
      'containers.rename.name-letters',
      'containers.rename.name',
    ],
  },
  'container-config': {
    says: 'a container keeps every configuration that it is created with',
    source: [1, 'Container configuration'],
    decides: [
      'containers.create.answers-201',
      ...membersOf(createRules, 'containers.create.body.', ['HostConfig', 'NetworkingConfig']),
    ],
  },
  'host-config': {
    says: 'a container keeps every host setting that it is created with',
    source: [1, 'HostConfig'],
    decides: [
      'containers.create.answers-201',
      ...membersOf(createRules, 'containers.create.body.HostConfig.', ['Links', 'LxcConf', 'VolumesFrom']),
    ],
  },
  'shared-volumes': {
    says: 'a container has the volumes that it names, and those of a container that it names',
    source: [1, 'HostConfig'],
    decides: [
      'containers.create.answers-201',
      'containers.create.body.HostConfig.Binds',
      'containers.create.body.HostConfig.VolumesFrom',
      'containers.create.config.volumes',
      'containers.create.host-config.bind-volume',
      'containers.create.host-config.bind-volume-ro',
      'containers.create.host-config.volumes-from',
      'containers.create.host-config.volumes-from-ro',
      'containers.create.host-config.volumes-from-rw',
      'volumes.list.every-volume',
      'volumes.list.filters-dangling',
      'volumes.remove.in-use-shared-answers-409',
    ],
  },
  'joined-containers': {
    says: 'a container is linked to the containers that it names, and shares what it asks for with one of them',
    source: [1, 'HostConfig'],
    needs: ['containers-run', 'networking'],
    decides: [
      'containers.create.answers-201',
      'containers.create.body.HostConfig.Links',
      'containers.create.body.HostConfig.PidMode',
      'containers.create.body.HostConfig.NetworkMode',
      'containers.create.host-config.links',
      'containers.remove.link-removes-link',
    ],
  },
  'network-endpoints': {
    says: 'a container has the address, the aliases and the links that it asks for on a network, after a restart too',
    source: [1, 'Container configuration'],
    since: '1.23',
    needs: ['containers-run', 'networking'],
    decides: [
      'containers.create.answers-201',
      'containers.create.config.network-address',
      'containers.create.config.network-aliases',
      'containers.start.answers-204',
      'containers.restart.answers-204',
      'containers.inspect.field.NetworkSettings.Networks{}.IPAMConfig',
      'containers.inspect.field.NetworkSettings.Networks{}.Links',
      'networks.connect.answers-200',
      'networks.connect.address',
      'networks.disconnect.answers-200',
    ],
  },
  'refused-containers': {
    says: 'a container with one refused setting is not created, and its name stays free',
    source: [1, 'Limits'],
    decides: [
      'containers.create.limits.BlkioWeight-low-refused',
      'containers.create.limits.BlkioWeight-high-refused',
      'containers.create.limits.MemorySwappiness-low-refused',
      'containers.create.limits.MemorySwappiness-high-refused',
      'containers.create.limits.MemorySwap-smaller-refused',
      'containers.create.limits.MemorySwap-alone-refused',
      'containers.create.limits.ShmSize-negative-refused',
      'containers.create.host-config.bind-relative-refused',
      'containers.create.host-config.port-integer-refused',
      'containers.create.missing-container-404',
      'containers.create.wrong-type-refused',
      'containers.create.answers-201',
      'system.ping.answers-200',
    ],
  },
  'container-lists': {
    says: 'the list has the containers that match the parameters, and no others',
    source: [2, 'List containers'],
    decides: [
      'containers.list.all-spellings',
      'containers.list.filters.label-key',
      'containers.list.filters.label-value',
      'containers.list.filters.status-created',
      'containers.list.filters.status-exited',
      'containers.list.before',
      'containers.list.since',
      'containers.list.filters.before-id',
      'containers.list.filters.before-name',
      'containers.list.filters.since-id',
      'containers.list.filters.since-name',
    ],
  },
  'container-filters': {
    says: 'a list of containers has those that pass all of its filters, and no others',
    source: [2, 'List containers'],
    needs: running,
    decides: [
      'containers.list.filters.map-of-lists',
      'containers.list.filters.exited',
      'containers.list.filters.status-created',
      'containers.list.filters.status-exited',
      'containers.list.filters.label-key',
      'containers.list.filters.label-value',
      'containers.list.filters.volume-name',
      'containers.list.filters.volume-destination',
      'containers.list.filters.ancestor-name',
      'containers.list.filters.ancestor-tag',
      'containers.list.filters.ancestor-id',
    ],
  },
  'image-filters': {
    says: 'a list of images has those that pass all of its filters, and no others',
    source: [3, 'List images'],
    decides: [
      'images.list.filters-map-of-lists',
      'images.list.filters-dangling',
      'images.list.filters-label-key',
      'images.list.filters-label-value',
    ],
  },
  searches: {
    says: 'a search finds the images of the registry that match its term, as the registry describes them',
    source: [3, 'Search images'],
    needs: ['search-index'],
    decides: ['images.search.answers-200', 'images.search.term', 'images.search.registry-keys'],
  },
  'event-filters': {
    says: 'past events are sent as they happened, without those that a filter or a time leaves out',
    source: [3, 'Monitor events'],
    needs: running,
    decides: [
      'events.answers-200',
      'events.since-until',
      'events.filters-map-of-lists',
      'events.filters.container',
      'events.filters.event',
      'events.filters.image',
      'events.filters.label-container',
      'events.filters.label-image',
      'events.filters.type-container',
      'events.filters.type-image',
      'events.filters.type-volume',
      'events.filters.type-network',
      'events.filters.volume',
      'events.filters.network',
    ],
  },
  flags: {
    says: 'a flag has the same effect in every spelling',
    source: [1, 'Conventions used by all endpoints'],
    needs: running,
    decides: [
      'containers.list.all-spellings',
      'containers.list.size-spellings',
      'containers.inspect.size-spellings',
      'containers.logs.stdout-spellings',
      'containers.logs.stderr-spellings',
      'containers.logs.timestamps-spellings',
      'images.list.all-spellings',
    ],
  },
  updates: {
    says: 'a container that is updated has what was asked for, and keeps everything else',
    source: [2, 'Update a container'],
    since: '1.23',
    decides: [
      'containers.update.answers-200',
      'containers.update.others-kept',
      'containers.update.BlkioWeight-refused',
      ...membersOf(updateRules, 'containers.update.body.', ['KernelMemory']),
    ],
  },
  'archive-paths': {
    says: 'a file that is unpacked in a container is found by every form of its path',
    source: [2, 'Archive endpoints'],
    decides: [
      'containers.archive-put.answers-200',
      'containers.archive-stat.path-relative',
      'containers.archive-stat.path-stat',
      'containers.archive-stat.stat-values',
      'containers.archive-get.path-relative',
      'containers.archive-get.body-tar',
      'containers.archive-get.directory-slash',
      'containers.archive-get.directory-contents',
      'containers.archive-get.missing-path-404',
      'containers.archive-get.slash-on-file-400',
    ],
  },
  'image-names': {
    says: 'an image is found by each of its names until that is removed',
    source: [3, 'Tag an image'],
    decides: [
      'images.tag.answers-201',
      'images.tag.tag',
      'images.list.tag-names-image',
      'images.remove.answers-200',
      'images.remove.image-gone',
    ],
  },
  commits: {
    says: 'an image keeps what it was committed with',
    source: [3, 'Commit a container as an image'],
    decides: [
      'images.commit.answers-201',
      'images.commit.tag',
      'images.commit.comment',
      'images.commit.author',
      'images.list.filters-label-value',
      ...membersOf(commitRules, 'images.commit.body.', ['Image', 'HostConfig', 'NetworkingConfig']),
    ],
  },
  'exec-commands': {
    says: 'a command in a container gets its arguments and user, and its detach keys end the session',
    source: [3, 'Exec create'],
    needs: running,
    decides: [
      'exec.create.answers-201',
      'exec.create.body.Cmd',
      'exec.create.body.User',
      'exec.create.detach-keys-letter',
      'exec.create.detach-keys-ctrl',
      'exec.inspect.running-state',
      'exec.inspect.exit-code',
    ],
  },
  volumes: {
    says: 'a volume keeps what it was created with, and is dangling until a container uses it',
    source: [3, 'Volumes'],
    since: '1.21',
    decides: [
      'volumes.create.answers-201',
      'volumes.create.usable-by-name',
      'volumes.create.body.Driver',
      'volumes.create.body.Labels',
      'volumes.list.filters-dangling',
      'volumes.list.every-volume',
    ],
  },
  networks: {
    says: 'a network keeps what it was created with, and is found by its name and identifier',
    source: [3, 'Networks'],
    since: '1.21',
    needs: ['networking'],
    decides: [
      'networks.create.answers-201',
      'networks.create.usable-by-name',
      'networks.create.ipam-not-cidr-refused',
      'networks.create.body.IPAM.Config[].Subnet',
      'networks.create.body.IPAM.Config[].Gateway',
      'networks.create.body.Internal',
      'networks.create.body.EnableIPv6',
      'networks.create.body.Labels',
      'networks.list.filters-map-of-lists',
      'networks.list.filters-name',
      'networks.list.filters-id',
      'networks.list.filters-name-part',
      'networks.list.filters-id-part',
      'networks.list.filters-type-custom',
      'networks.list.filters-type-builtin',
    ],
  },
});

/** Generated forms for the token endpoint. */
export const tokenProperties = properties(
  'generated.inputs',
  {
    'token-forms': {
      says: 'gives a token for every valid form, with what it asks for, and none for a form with one defect',
      source: [1, 'Registry token endpoint'],
      needs: ['token-user'],
      decides: [
        'token.client-syntax',
        'token.scope-subset',
        'token.offline-refresh-token',
        'token.online-no-refresh-token',
        'token.grant-refresh',
        'token.grant-missing-refused',
        'token.service-missing-refused',
        'token.client-missing-refused',
        'token.bad-password-refused',
      ],
    },
  },
  request,
);
