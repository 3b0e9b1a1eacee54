import { running } from '../common-rules.ts';
import type { Endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';

/** What Binds, Tmpfs, VolumesFrom and VolumeDriver do, besides being accepted (Document 1, HostConfig). */
export function createMountRules(endpoint: Endpoint) {
  return rules(
    'containers.create.host-config',
    { endpoint, source: [1, 'HostConfig'] },
    {
      'bind-host-path': {
        kind: 'field',
        says: 'mounts a path of the host for <host path>:<container path> in Binds',
        row: 'Binds',
        needs: ['containers-run', 'host-paths'],
      },
      'bind-host-path-ro': {
        kind: 'field',
        says: 'mounts a path of the host read-only for <host path>:<container path>:ro in Binds',
        row: 'Binds',
        needs: ['containers-run', 'host-paths'],
      },
      'bind-volume': {
        kind: 'field',
        says: 'mounts a volume for <volume name>:<container path> in Binds',
        row: 'Binds',
        since: '1.21',
        needs: running,
      },
      'bind-volume-ro': {
        kind: 'field',
        says: 'mounts a volume read-only for <volume name>:<container path>:ro in Binds',
        row: 'Binds',
        since: '1.21',
        needs: running,
      },
      'bind-relative-refused': {
        kind: 'field',
        says: 'refuses a container path that is not absolute in Binds',
        row: 'Binds',
        interpretations: ['bad-parameter'],
      },
      'bind-relative-host-refused': {
        kind: 'field',
        says: 'refuses a host path that begins with ./ or ../ in Binds',
        row: 'Binds',
        until: '1.20',
        interpretations: ['bad-parameter'],
      },
      'bind-relative-source-refused': {
        kind: 'field',
        says: 'refuses a source that begins with ./ or ../ in Binds, as it is neither an absolute path nor the name of a volume',
        row: 'Binds',
        since: '1.21',
        level: 'should',
        interpretations: ['volume-names', 'bad-parameter'],
      },
      tmpfs: {
        kind: 'field',
        says: 'mounts a tmpfs with the given options at each directory in Tmpfs',
        row: 'Tmpfs',
        since: '1.23',
        needs: running,
      },
      'volumes-from': {
        kind: 'field',
        says: 'mounts the volumes of the container that is named in VolumesFrom',
        row: 'VolumesFrom',
        needs: running,
      },
      'volumes-from-ro': {
        kind: 'field',
        says: 'mounts the volumes read-only for <container name>:ro in VolumesFrom',
        row: 'VolumesFrom',
        needs: running,
      },
      'volumes-from-rw': {
        kind: 'field',
        says: 'mounts the volumes for reading and writing for <container name>:rw in VolumesFrom',
        row: 'VolumesFrom',
        needs: running,
      },
      'volume-driver': {
        kind: 'field',
        says: 'mounts volumes with the driver in VolumeDriver',
        row: 'VolumeDriver',
        since: '1.21',
        needs: running,
      },
    },
  );
}
