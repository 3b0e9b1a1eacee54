import { serverError } from '../common-answers.ts';
import { containerIdRule, pausable, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { flagOff, flagRules } from '../parameters.ts';
import { containerInspect } from '../resources/container.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Inspect a container'] as const;
const shape = [1, 'Container inspect object'] as const;
const states = [1, 'States and transitions'] as const;

export const inspect = endpoint({
  id: 'containers.inspect',
  method: 'GET',
  path: '/containers/{id}/json',
  summary: 'describes a container',
  source,
  parameters: {
    id: containerId,
    size: { in: 'query', since: '1.21', schema: flagOff, says: 'with the sizes of the container' },
  },
  answers: {
    200: { says: 'the container', body: 'object', schema: containerInspect },
    404: noSuchContainer,
    500: serverError,
  },
});

export const inspectRules = {
  ...rules(
    'containers.inspect',
    { endpoint: inspect, source, row: '200, 404, 500' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 for a container' },
      'unknown-answers-404': unknownContainerRule,
      'server-error-500': serverErrorRule,
      'id-or-name': containerIdRule,
      'size-true': {
        kind: 'parameter',
        says: 'has SizeRw and SizeRootFs when size is true',
        row: 'size',
        since: '1.21',
      },
      'size-default-false': {
        kind: 'parameter',
        says: 'has neither SizeRw nor SizeRootFs when size is not set',
        row: 'size',
        since: '1.21',
      },
      'no-ExecDriver': {
        kind: 'version',
        says: 'no longer has ExecDriver',
        source: shape,
        row: 'fields',
        since: '1.23',
      },
      'no-LxcConf': {
        kind: 'version',
        says: 'no longer has LxcConf in HostConfig',
        source: [1, 'HostConfig'],
        row: 'LxcConf',
        since: '1.23',
      },
      'no-address-of-one-network': {
        kind: 'version',
        says: 'no longer has beside Networks the endpoint, the gateways and the addresses of one network',
        source: [4, 'Containers'],
        since: '1.52',
        needs: running,
      },
      'no-MacAddress': {
        kind: 'version',
        says: 'no longer has MacAddress in Config, even where create was given one',
        source: [4, 'Containers'],
        since: '1.52',
      },
      'running-state': {
        kind: 'state',
        says: 'has State.Running true for a running container and false for one that has exited',
        source: states,
        row: 'states',
        needs: running,
      },
      'paused-state': {
        kind: 'state',
        says: 'has State.Paused true for a paused container',
        source: states,
        row: 'states',
        needs: pausable,
      },
      'restarting-state': {
        kind: 'state',
        says: 'has State.Restarting true while the container waits for its next restart',
        source: states,
        row: 'states',
        needs: running,
      },
      'status-value': {
        kind: 'state',
        says: 'names the state of the container in State.Status',
        source: states,
        row: 'states',
        since: '1.21',
        needs: running,
      },
      'dead-state': {
        kind: 'state',
        says: 'has State.Dead true for a dead container',
        source: states,
        row: 'states',
        since: '1.23',
        unchecked: 'no operation is said to make a container dead',
      },
      'mount-of-bind': {
        kind: 'observe',
        says: 'which Name and Driver the mount of a host directory has',
        source: [1, 'Container list item'],
        row: 'Mounts',
        since: '1.23',
        interpretations: ['mount-name-driver'],
      },
      'events-agree': {
        kind: 'observe',
        says: 'after which operations the last event of a container implies another state than the one that it reports',
        source: [1, 'States and transitions'],
        row: 'transitions',
        needs: running,
      },
      'network-id': {
        kind: 'field',
        says: 'gives the Id of each network that the container is on as its NetworkID',
        source: shape,
        row: 'NetworkSettings',
        since: '1.23',
        needs: ['containers-run', 'networking'],
      },
      'identifier-as-alias': {
        kind: 'state',
        says: 'adds the short form of its identifier to Aliases of a network that is not pre-defined',
        source: [4, 'Containers'],
        since: '1.24',
        until: '1.44',
        needs: ['containers-run', 'networking'],
      },
      'given-aliases': {
        kind: 'state',
        says: 'lists in Aliases of a network only the names that the client gave',
        source: [4, 'Containers'],
        since: '1.45',
        needs: ['containers-run', 'networking'],
      },
      undocumented: {
        kind: 'observe',
        says: 'which fields it has that the documents do not name',
        source: shape,
        row: 'fields',
        interpretations: ['open-objects'],
      },
    },
  ),
  ...flagRules(inspect),
  ...fieldRules('containers.inspect', { endpoint: inspect, source: shape, row: 'fields' }, containerInspect),
};
