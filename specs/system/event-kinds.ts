import type { Capability } from '../capabilities.ts';
import type { Endpoint } from '../endpoint.ts';
import { type RuleData, rules } from '../rule.ts';

/** An event of a kind of objects, caused by the operation of the same name. */
function kind<const Kind extends string>(of: string, name: Kind, cause: string, ...needs: Capability[]) {
  return {
    kind: 'event',
    says: `sends the event ${name} when ${cause}`,
    row: of,
    level: 'should',
    interpretations: ['event-causes'],
    needs,
  } as const satisfies RuleData;
}

/** The kinds of events (Document 1, Events). */
export function eventKindRules(endpoint: Endpoint) {
  return rules(
    'events.kind',
    { endpoint, source: [1, 'Events'] },
    {
      'container.attach': kind('container', 'attach', 'a client attaches to a container', 'containers-run'),
      'container.commit': kind('container', 'commit', 'an image is made from a container'),
      'container.copy': { ...kind('container', 'copy', 'files are copied from a container'), until: '1.23' },
      'container.create': kind('container', 'create', 'a container is created'),
      'container.destroy': kind('container', 'destroy', 'a container is removed'),
      'container.die': kind('container', 'die', 'a container exits', 'containers-run'),
      'container.exec_create': {
        ...kind('container', 'exec_create', 'an exec instance is created', 'containers-run'),
        interpretations: ['event-causes', 'event-text'],
      },
      'container.exec_start': {
        ...kind('container', 'exec_start', 'an exec instance is started', 'containers-run'),
        interpretations: ['event-causes', 'event-text'],
      },
      'container.export': kind('container', 'export', 'the contents of a container are exported'),
      'container.kill': kind('container', 'kill', 'a signal is sent to a container', 'containers-run'),
      'container.oom': {
        ...kind('container', 'oom', 'the kernel kills a container for lack of memory', 'containers-run'),
        unchecked: 'whether the kernel kills for lack of memory is up to the host, and harms it',
      },
      'container.pause': kind('container', 'pause', 'a container is paused', 'containers-run', 'freezer'),
      'container.rename': kind('container', 'rename', 'a container gets another name'),
      'container.resize': kind('container', 'resize', 'the terminal of a container is resized', 'containers-run'),
      'container.restart': kind('container', 'restart', 'a container is restarted', 'containers-run'),
      'container.start': kind('container', 'start', 'a container starts', 'containers-run'),
      'container.stop': kind('container', 'stop', 'a container is stopped', 'containers-run'),
      'container.top': kind('container', 'top', 'the processes of a container are listed', 'containers-run'),
      'container.unpause': kind('container', 'unpause', 'a paused container goes on', 'containers-run', 'freezer'),
      'container.update': { ...kind('container', 'update', 'a container is updated'), since: '1.23' },
      'image.delete': kind('image', 'delete', 'an image is deleted'),
      'image.import': kind('image', 'import', 'an image is imported'),
      'image.pull': kind('image', 'pull', 'an image is pulled', 'registry'),
      'image.push': kind('image', 'push', 'an image is pushed', 'registry'),
      'image.tag': kind('image', 'tag', 'an image gets a name'),
      'image.untag': kind('image', 'untag', 'a name is taken from an image'),
      'volume.create': { ...kind('volume', 'create', 'a volume is created'), since: '1.23' },
      'volume.mount': { ...kind('volume', 'mount', 'a volume is mounted', 'containers-run'), since: '1.23' },
      'volume.unmount': { ...kind('volume', 'unmount', 'a volume is unmounted', 'containers-run'), since: '1.23' },
      'volume.destroy': { ...kind('volume', 'destroy', 'a volume is removed'), since: '1.23' },
      'network.create': { ...kind('network', 'create', 'a network is created', 'networking'), since: '1.23' },
      'network.connect': {
        ...kind('network', 'connect', 'a container is connected to a network', 'containers-run', 'networking'),
        since: '1.23',
      },
      'network.disconnect': {
        ...kind('network', 'disconnect', 'a container is disconnected from a network', 'containers-run', 'networking'),
        since: '1.23',
      },
      'network.destroy': { ...kind('network', 'destroy', 'a network is removed', 'networking'), since: '1.23' },
    },
  );
}
