import { properties } from './properties.ts';

const agreeing = [
  'containers.list.answers-200',
  'containers.list.all-true',
  'containers.list.all-default-false',
  'containers.list.states-agree',
  'containers.list.status-exited',
  'containers.create.name',
  'containers.start.container-runs',
  'containers.stop.container-not-running',
  'containers.inspect.field.State.Paused',
  'containers.inspect.field.State.ExitCode',
  'containers.remove.container-gone',
  'events.none-lost',
  'events.kind.container.create',
  'events.kind.container.start',
  'events.kind.container.die',
  'events.kind.container.stop',
  'events.kind.container.restart',
  'events.kind.container.kill',
  'events.kind.container.pause',
  'events.kind.container.unpause',
  'events.kind.container.rename',
  'events.kind.container.destroy',
] as const;

const operations = [
  'containers.create.answers-201',
  'containers.create.name-taken-409',
  'containers.start.answers-204',
  'containers.start.starts-again',
  'containers.start.started-answers-304',
  'containers.stop.answers-204',
  'containers.stop.stopped-answers-304',
  'containers.restart.answers-204',
  'containers.kill.answers-204',
  'containers.pause.answers-204',
  'containers.unpause.answers-204',
  'containers.rename.answers-204',
  'containers.rename.taken-answers-409',
  'containers.remove.answers-204',
  'containers.remove.force-default-false',
  'containers.remove.force-kills',
  'containers.wait.answers-200',
  'containers.wait.exit-code',
] as const;

const execs = [
  'exec.create.answers-201',
  'exec.start.runs-command',
  'exec.inspect.answers-200',
  'exec.inspect.running-state',
  'exec.inspect.exit-code',
  'containers.inspect.field.ExecIDs',
] as const;

const images = [
  'images.tag.answers-201',
  'images.tag.repo',
  'images.remove.answers-200',
  'images.remove.image-gone',
  'images.list.field.RepoTags',
  'images.inspect.field.RepoTags',
] as const;

const volumes = [
  'volumes.create.answers-201',
  'volumes.list.every-volume',
  'volumes.list.filters-dangling',
  'volumes.inspect.answers-200',
  'volumes.remove.answers-204',
  'volumes.remove.in-use-answers-409',
  'volumes.remove.volume-gone',
] as const;

const networks = [
  'networks.create.answers-201',
  'networks.list.every-network',
  'networks.connect.answers-200',
  'networks.connect.connected',
  'networks.disconnect.answers-200',
  'networks.disconnect.disconnected',
  'networks.remove.answers-200',
  'networks.remove.answers-204',
  'networks.remove.network-gone',
] as const;

const needs = ['containers-run'] as const;

/** Sequences of operations that are compared with a model of the daemon. */
export const modelProperties = properties('generated.models', {
  containers: {
    says: 'after each step of any sequence of operations on containers, statuses, list, inspect, wait and events agree',
    source: [1, 'States and transitions'],
    needs,
    decides: [...operations, ...agreeing],
  },
  exec: {
    says: 'after each step of any sequence with exec instances, their inspect and that of their container agree',
    source: [1, 'Exec instance'],
    needs,
    decides: [...operations, ...execs],
  },
  images: {
    says: 'after each step of any sequence of tagging and removing, list and inspect have the names that were given',
    source: [3, 'Images'],
    needs,
    decides: images,
  },
  volumes: {
    says: 'after each step of any sequence with volumes and their containers, list, inspect and removal agree',
    source: [3, 'Volumes'],
    since: '1.21',
    needs,
    decides: [...operations, ...volumes, 'containers.remove.v-removes-volumes', 'containers.remove.v-default-false'],
  },
  networks: {
    says: 'after each step of any sequence with networks and their containers, both sides report the same connections',
    source: [3, 'Networks'],
    since: '1.21',
    needs: ['containers-run', 'networking'],
    decides: [...operations, ...networks],
  },
  together: {
    says: 'after each step of any sequence with all of them everything agrees, the counters of info included',
    source: [1, 'System information'],
    since: '1.21',
    needs: ['containers-run', 'networking'],
    decides: [
      ...operations,
      ...agreeing,
      ...execs,
      ...images,
      ...volumes,
      ...networks,
      'system.info.field.Containers',
      'system.info.field.ContainersRunning',
      'system.info.field.ContainersPaused',
      'system.info.field.ContainersStopped',
    ],
  },
  parallel: {
    says: 'two clients that change one container at the same time leave it as some order of their steps does',
    source: [1, 'States and transitions'],
    needs,
    level: 'should',
    interpretations: ['many-clients'],
    decides: [
      'containers.create.name-taken-409',
      'containers.rename.taken-answers-409',
      'containers.remove.container-gone',
      'containers.list.all-true',
      'containers.list.states-agree',
      'containers.start.container-runs',
      'containers.stop.container-not-running',
    ],
  },
  'parallel-volumes': {
    says: 'two clients that use and remove one volume at the same time leave it as some order of their steps does',
    source: [1, 'States and transitions'],
    since: '1.21',
    level: 'should',
    interpretations: ['many-clients'],
    decides: [
      'volumes.remove.in-use-answers-409',
      'volumes.remove.volume-gone',
      'volumes.list.every-volume',
      'containers.list.all-true',
      'containers.remove.container-gone',
    ],
  },
  'parallel-networks': {
    says: 'two clients that connect a container and remove its network at the same time leave both as some order does',
    source: [3, 'Networks'],
    since: '1.21',
    needs: ['containers-run', 'networking'],
    level: 'should',
    interpretations: ['many-clients'],
    decides: [
      'networks.connect.connected',
      'networks.connect.unknown-answers-404',
      'networks.disconnect.disconnected',
      'networks.remove.network-gone',
      'networks.list.every-network',
    ],
  },
  'parallel-images': {
    says: 'a name that two clients give and take away at the same time is where some order of their steps leaves it',
    source: [3, 'Tag an image'],
    level: 'should',
    interpretations: ['many-clients'],
    decides: ['images.tag.answers-201', 'images.tag.tag', 'images.remove.image-gone', 'images.list.field.RepoTags'],
  },
  'parallel-exec': {
    says: 'a command that two clients start at the same time runs',
    source: [1, 'States and transitions'],
    needs,
    level: 'should',
    interpretations: ['many-clients'],
    decides: [
      'exec.start.runs-command',
      'exec.start.paused-answers-409',
      'exec.inspect.running-state',
      'exec.inspect.exit-code',
      'containers.inspect.field.State.Paused',
    ],
  },
});
