import type { Capability } from '../capabilities.ts';
import type { Endpoint } from '../endpoint.ts';
import { type RuleData, rules } from '../rule.ts';

/** An event caused by the operation of the same name. */
function kind<const Kind extends string>(name: Kind, cause: string, ...needs: Capability[]) {
  return {
    kind: 'event',
    says: `sends the event ${name} when ${cause}`,
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
      'container.attach': kind('attach', 'a client attaches to a container', 'containers-run'),
      'container.commit': kind('commit', 'an image is made from a container'),
      'container.copy': { ...kind('copy', 'files are copied from a container'), until: '1.23' },
      'container.create': kind('create', 'a container is created'),
      'container.destroy': kind('destroy', 'a container is removed'),
      'container.die': kind('die', 'a container exits', 'containers-run'),
      'container.exec_create': {
        ...kind('exec_create', 'an exec instance is created', 'containers-run'),
        interpretations: ['event-causes', 'event-text'],
      },
      'container.exec_start': {
        ...kind('exec_start', 'an exec instance is started', 'containers-run'),
        interpretations: ['event-causes', 'event-text'],
      },
      'container.export': kind('export', 'the contents of a container are exported'),
      'container.kill': kind('kill', 'a signal is sent to a container', 'containers-run'),
      'container.oom': {
        ...kind('oom', 'the kernel kills a container for lack of memory', 'containers-run'),
        unchecked: 'whether the kernel kills for lack of memory is up to the host, and harms it',
      },
      'container.pause': kind('pause', 'a container is paused', 'containers-run', 'freezer'),
      'container.rename': kind('rename', 'a container gets another name'),
      'container.resize': kind('resize', 'the terminal of a container is resized', 'containers-run'),
      'container.restart': kind('restart', 'a container is restarted', 'containers-run'),
      'container.start': kind('start', 'a container starts', 'containers-run'),
      'container.stop': kind('stop', 'a container is stopped', 'containers-run'),
      'container.top': kind('top', 'the processes of a container are listed', 'containers-run'),
      'container.unpause': kind('unpause', 'a paused container goes on', 'containers-run', 'freezer'),
      'container.update': { ...kind('update', 'a container is updated'), since: '1.23' },
      'image.delete': kind('delete', 'an image is deleted'),
      'image.import': kind('import', 'an image is imported'),
      'image.pull': kind('pull', 'an image is pulled', 'registry'),
      'image.push': kind('push', 'an image is pushed', 'registry'),
      'image.tag': kind('tag', 'an image gets a name'),
      'image.untag': kind('untag', 'a name is taken from an image'),
      'volume.create': { ...kind('create', 'a volume is created'), since: '1.23' },
      'volume.mount': { ...kind('mount', 'a volume is mounted', 'containers-run'), since: '1.23' },
      'volume.unmount': { ...kind('unmount', 'a volume is unmounted', 'containers-run'), since: '1.23' },
      'volume.destroy': { ...kind('destroy', 'a volume is removed'), since: '1.23' },
      'network.create': { ...kind('create', 'a network is created', 'networking'), since: '1.23' },
      'network.connect': {
        ...kind('connect', 'a container is connected to a network', 'containers-run', 'networking'),
        since: '1.23',
      },
      'network.disconnect': {
        ...kind('disconnect', 'a container is disconnected from a network', 'containers-run', 'networking'),
        since: '1.23',
      },
      'network.destroy': { ...kind('destroy', 'a network is removed', 'networking'), since: '1.23' },
    },
  );
}
