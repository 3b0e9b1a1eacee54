import { serverError } from '../common-answers.ts';
import { running, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { filters, flagOff, flagRules } from '../parameters.ts';
import { containerListItem } from '../resources/container.ts';
import { rules } from '../rule.ts';
import { badParameter } from './common.ts';
import { containerFilters, listFilterRules } from './list-filters.ts';

const source = [2, 'List containers'] as const;
const shape = [1, 'Container list item'] as const;
const asInspected = { source: shape, level: 'should', interpretations: ['list-and-inspect'], needs: running } as const;

export const list = endpoint({
  id: 'containers.list',
  method: 'GET',
  path: '/containers/json',
  summary: 'lists containers',
  source,
  parameters: {
    all: { in: 'query', schema: flagOff, says: 'all containers, not only running ones' },
    limit: { in: 'query', schema: { type: 'integer' }, says: 'the number of last created containers' },
    since: { in: 'query', schema: { type: 'string' }, says: 'a container; only those created after it' },
    before: { in: 'query', schema: { type: 'string' }, says: 'a container; only those created before it' },
    size: { in: 'query', schema: flagOff, says: 'with the sizes of the containers' },
    filters: { in: 'query', schema: filters(containerFilters), says: 'conditions for the containers' },
  },
  answers: {
    200: { says: 'the containers', body: 'object', schema: { type: 'array', items: { $ref: containerListItem } } },
    400: badParameter,
    500: serverError,
  },
});

export const listRules = {
  ...rules(
    'containers.list',
    { endpoint: list, source, row: '200, 400, 500' },
    {
      'answers-200': { kind: 'status', says: 'answers 200' },
      'bad-parameter-refused': {
        kind: 'status',
        says: 'refuses a limit that is not an integer',
        row: 'limit',
        interpretations: ['bad-parameter'],
      },
      'server-error-500': serverErrorRule,
      'answers-list': {
        kind: 'format',
        says: 'answers with a list of containers, each of them once',
        interpretations: ['null-for-empty'],
      },
      'all-default-false': {
        kind: 'parameter',
        says: 'leaves out exited containers when all is not set',
        row: 'all',
        needs: running,
      },
      'all-true': { kind: 'parameter', says: 'lists exited and created containers when all is true', row: 'all' },
      limit: {
        kind: 'parameter',
        says: 'lists no more than limit containers, the last created',
        source: [1, 'Limits'],
        row: 'limit',
      },
      'limit-includes-stopped': {
        kind: 'parameter',
        says: 'lists containers that are not running when limit is set without all',
        row: 'limit',
      },
      since: {
        kind: 'parameter',
        until: '1.23',
        says: 'lists only containers created after the one in since',
        row: 'since',
      },
      'since-includes-stopped': {
        until: '1.23',
        kind: 'parameter',
        says: 'lists containers that are not running when since is set without all',
        row: 'since',
      },
      before: {
        kind: 'parameter',
        until: '1.23',
        says: 'lists only containers created before the one in before',
        row: 'before',
      },
      'before-includes-stopped': {
        until: '1.23',
        kind: 'parameter',
        says: 'lists containers that are not running when before is set without all',
        row: 'before',
      },
      'size-true': { kind: 'parameter', says: 'shows the sizes of the containers when size is true', row: 'size' },
      'states-agree': {
        kind: 'state',
        says: 'finds a container after each operation by the status that inspect reports, and by no other',
        source: [1, 'States and transitions'],
        row: 'states',
        needs: running,
      },
      'state-value': {
        kind: 'state',
        says: 'gives in State one of created, restarting, running, paused, exited and dead',
        source: [1, 'States and transitions'],
        row: 'states',
        level: 'should',
        since: '1.23',
        interpretations: ['state-text'],
      },
      'image-name': {
        kind: 'field',
        says: 'gives in Image the name of the image that the container was created with',
        source: shape,
        row: 'Image',
      },
      'labels-of-create': {
        kind: 'field',
        says: 'gives in Labels the labels that create sent',
        source: shape,
        row: 'Labels',
      },
      'networks-by-name': {
        kind: 'field',
        says: 'names the networks of a container in NetworkSettings.Networks',
        source: shape,
        row: 'NetworkSettings',
        since: '1.23',
        needs: ['containers-run', 'networking'],
      },
      'created-seconds': {
        kind: 'field',
        says: 'gives in Created the UNIX seconds at which the container was created',
        source: shape,
        row: 'Created',
      },
      'status-exited': {
        kind: 'field',
        says: 'gives in Status of an exited container a string with Exit and the exit code',
        source: shape,
        row: 'Status',
        level: 'should',
        interpretations: ['status-text'],
        needs: running,
      },
      'name-as-inspected': {
        kind: 'field',
        says: 'has in Names what inspect gives as Name',
        row: 'Names',
        ...asInspected,
      },
      'image-as-inspected': {
        kind: 'field',
        says: 'gives as ImageID what inspect gives as Image',
        row: 'ImageID',
        since: '1.21',
        ...asInspected,
      },
      'state-as-inspected': {
        kind: 'field',
        says: 'gives as State what inspect gives as State.Status',
        row: 'State',
        since: '1.23',
        ...asInspected,
      },
      'network-mode-as-inspected': {
        kind: 'field',
        says: 'gives the NetworkMode that inspect gives',
        row: 'HostConfig',
        since: '1.23',
        ...asInspected,
      },
      'networks-as-inspected': {
        kind: 'field',
        says: 'tells of the networks of a container what inspect does',
        row: 'NetworkSettings',
        since: '1.23',
        ...asInspected,
        needs: ['containers-run', 'networking'],
      },
      'mounts-as-inspected': {
        kind: 'field',
        says: 'tells of the mounts of a container what inspect does',
        row: 'Mounts',
        since: '1.23',
        ...asInspected,
      },
      'paused-in-default': {
        kind: 'observe',
        says: 'whether paused containers are in the list without all',
        row: 'all',
        interpretations: ['paused-is-running'],
        needs: ['containers-run', 'freezer'],
      },
      'size-default': { kind: 'observe', says: 'whether it has sizes when size is not set', row: 'size' },
      'since-unknown': {
        until: '1.23',
        kind: 'observe',
        says: 'what it answers when the container in since does not exist',
        row: 'since',
        interpretations: ['listed-codes'],
      },
      'before-unknown': {
        until: '1.23',
        kind: 'observe',
        says: 'what it answers when the container in before does not exist',
        row: 'before',
        interpretations: ['listed-codes'],
      },
      undocumented: {
        kind: 'observe',
        says: 'which fields it has that the documents do not name',
        interpretations: ['open-objects'],
      },
    },
  ),
  ...listFilterRules(list),
  ...flagRules(list),
  ...fieldRules('containers.list', { endpoint: list, source: shape }, containerListItem),
};
