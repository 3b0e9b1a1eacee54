import { running } from '../common-rules.ts';
import type { Endpoint } from '../endpoint.ts';
import { type RuleData, rules } from '../rule.ts';

const conventions = [1, 'Conventions used by all endpoints'] as const;
const states = [1, 'States and transitions'] as const;

/** A filter for one state. */
function status<const State extends string>(state: State) {
  return {
    kind: 'parameter',
    says: `lists only containers in the state ${state} with the filter status=${state}`,
    source: states,
    interpretations: ['filters-and-all'],
  } as const satisfies RuleData;
}

/** The filters of the container list (Document 2, List containers). */
export const containerFilters = {
  exited: { says: 'an exit code' },
  status: { says: 'created, restarting, running, paused, exited or, since 1.23, dead' },
  label: { says: 'the key of a label, or <key>=<value>' },
  isolation: { says: 'default, process or hyperv, on daemons that are not Unix', since: '1.23' },
  ancestor: { says: 'an image by name, by name and tag, by identifier or by digest', since: '1.23' },
  before: { says: 'the identifier or name of a container', since: '1.23' },
  since: { says: 'the identifier or name of a container', since: '1.23' },
  volume: { says: 'the name of a volume, or where one is mounted', since: '1.23' },
} as const;

/** The rules of these filters. */
export function listFilterRules(endpoint: Endpoint) {
  return rules(
    'containers.list.filters',
    { endpoint, source: [2, 'List containers'], row: 'filters' },
    {
      'map-of-lists': {
        kind: 'parameter',
        says: 'accepts filters as JSON text: a map of names to lists of strings',
        source: conventions,
        row: 'filters',
        level: 'should',
        interpretations: ['filters-combined', 'filters-and-all'],
      },
      'bad-refused': {
        kind: 'status',
        says: 'refuses filters that are not a JSON map',
        source: conventions,
        row: 'filters',
        interpretations: ['malformed-filters', 'bad-parameter'],
      },
      'value-refused': {
        kind: 'status',
        says: 'refuses a value of the filter exited that is no integer, and one of the filter status that is no state',
        level: 'should',
        interpretations: ['filter-values', 'bad-parameter'],
      },
      exited: {
        kind: 'parameter',
        says: 'lists only containers with that exit code with the filter exited',
        interpretations: ['filters-and-all'],
        needs: running,
      },
      'exited-ended': {
        kind: 'parameter',
        says: 'leaves out containers that have not ended with the filter exited, also where it asks for 0',
        level: 'should',
        interpretations: ['exited-ended', 'filters-and-all'],
        needs: running,
      },
      'status-created': { ...status('created'), row: 'states' },
      'status-restarting': { ...status('restarting'), row: 'states', needs: running },
      'status-running': { ...status('running'), row: 'states', needs: running },
      'status-paused': { ...status('paused'), row: 'states', needs: ['containers-run', 'freezer'] },
      'status-exited': { ...status('exited'), row: 'states', needs: running },
      'status-dead': {
        ...status('dead'),
        since: '1.23',
        says: 'accepts the filter status=dead, and lists no container in another state with it',
        row: 'states',
      },
      'label-key': {
        kind: 'parameter',
        says: 'lists only containers with the label of that key with the filter label=<key>',
        interpretations: ['filters-and-all'],
      },
      'label-value': {
        kind: 'parameter',
        says: 'lists only containers with that key and value with the filter label=<key>=<value>',
        interpretations: ['filters-and-all'],
      },
      isolation: {
        kind: 'parameter',
        says: 'accepts the filter isolation with default, process or hyperv on daemons that are not Unix',
        since: '1.23',
        unchecked: 'it is for daemons that are not Unix, which the suite does not run on',
      },
      'ancestor-name': {
        kind: 'parameter',
        says: 'lists only containers made from the image with that name with the filter ancestor',
        since: '1.23',
        interpretations: ['filters-and-all'],
      },
      'ancestor-tag': {
        kind: 'parameter',
        says: 'lists only containers made from the image with that name and tag with the filter ancestor',
        since: '1.23',
        interpretations: ['filters-and-all'],
      },
      'ancestor-id': {
        kind: 'parameter',
        says: 'lists only containers made from the image with that identifier with the filter ancestor',
        since: '1.23',
        interpretations: ['filters-and-all'],
      },
      'ancestor-digest': {
        kind: 'parameter',
        says: 'lists only containers made from the image with that digest with the filter ancestor',
        since: '1.23',
        interpretations: ['filters-and-all'],
        needs: ['registry'],
      },
      'before-id': {
        kind: 'parameter',
        says: 'lists only containers created before the one with that identifier with the filter before',
        since: '1.23',
        interpretations: ['filters-and-all'],
      },
      'before-name': {
        kind: 'parameter',
        says: 'lists only containers created before the one with that name with the filter before',
        since: '1.23',
        interpretations: ['filters-and-all'],
      },
      'since-id': {
        kind: 'parameter',
        says: 'lists only containers created after the one with that identifier with the filter since',
        since: '1.23',
        interpretations: ['filters-and-all'],
      },
      'since-name': {
        kind: 'parameter',
        says: 'lists only containers created after the one with that name with the filter since',
        since: '1.23',
        interpretations: ['filters-and-all'],
      },
      'volume-name': {
        kind: 'parameter',
        says: 'lists only containers with the volume of that name with the filter volume',
        since: '1.23',
        interpretations: ['filters-and-all'],
      },
      'volume-destination': {
        kind: 'parameter',
        says: 'lists only containers with a volume mounted at that place with the filter volume',
        since: '1.23',
        interpretations: ['filters-and-all'],
      },
      'volume-bind': {
        kind: 'parameter',
        says: 'lists only containers with a directory of the host bound to that place with the filter volume',
        since: '1.23',
        level: 'should',
        interpretations: ['bind-places', 'filters-and-all'],
      },
      'imply-all': {
        kind: 'observe',
        says: 'whether filters find containers that are not running without all',
        interpretations: ['filters-and-all'],
      },
      unknown: { kind: 'observe', says: 'what it answers to a filter that the documents do not name' },
    },
  );
}
