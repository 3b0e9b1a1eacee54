import { serverError } from '../common-answers.ts';
import { filtersRules, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { filters } from '../parameters.ts';
import { networkListItem } from '../resources/network.ts';
import { rules } from '../rule.ts';

const source = [3, 'Networks'] as const;
const shape = [1, 'Network'] as const;

const networkFilters = {
  name: { says: 'the name of a network, or since 1.23 a part of it' },
  id: { says: 'the identifier of a network, or since 1.23 a part of it' },
  type: { says: 'custom or builtin', since: '1.23' },
} as const;

export const list = endpoint({
  id: 'networks.list',
  since: '1.21',
  method: 'GET',
  path: '/networks',
  summary: 'lists networks',
  source,
  parameters: { filters: { in: 'query', schema: filters(networkFilters), says: 'conditions for the networks' } },
  answers: {
    200: { says: 'the networks', body: 'object', schema: { type: 'array', items: { $ref: networkListItem } } },
    500: serverError,
  },
});

export const listRules = {
  ...rules(
    'networks.list',
    { endpoint: list, source, row: 'GET /networks' },
    {
      'answers-200': { kind: 'status', says: 'answers 200' },
      'server-error-500': serverErrorRule,
      'every-network': { kind: 'format', says: 'answers with a list with every network once' },
      'as-inspected': {
        kind: 'format',
        says: 'tells of a network what inspect does',
        source: shape,
        row: 'fields',
        level: 'should',
        interpretations: ['list-and-inspect'],
        needs: ['networking'],
      },
      'predefined-bridge': {
        kind: 'format',
        says: 'lists the network bridge with the driver bridge',
        source: shape,
        row: 'fields',
        needs: ['networking'],
      },
      'predefined-none': {
        kind: 'format',
        says: 'lists the network none with the driver null',
        source: shape,
        row: 'fields',
      },
      'predefined-host': {
        kind: 'format',
        says: 'lists the network host with the driver host',
        source: shape,
        row: 'fields',
      },
      containers: {
        kind: 'format',
        says: 'has the containers of a network in Containers, and tells of them what inspect of the network does',
        source: shape,
        row: 'fields',
        level: 'should',
        interpretations: ['list-and-inspect'],
        until: '1.27',
        needs: ['containers-run', 'networking'],
      },
      'containers-empty': {
        kind: 'version',
        says: 'has no containers in Containers, or no Containers',
        source: [4, 'Volumes and networks'],
        since: '1.28',
        needs: ['containers-run', 'networking'],
      },
      'filters-map-of-maps': {
        kind: 'observe',
        says: 'what it does with filters that are a map of maps',
        needs: ['networking'],
      },
      ...filtersRules,
      'filters-name': { kind: 'parameter', says: 'lists only networks with one of the names in the filter name' },
      'filters-id': { kind: 'parameter', says: 'lists only networks with one of the identifiers in the filter id' },
      'filters-name-part': {
        kind: 'parameter',
        says: 'lists networks with part of their name in the filter name',
        since: '1.23',
      },
      'filters-id-part': {
        kind: 'parameter',
        says: 'lists networks with part of their identifier in the filter id',
        since: '1.23',
      },
      'filters-type-custom': {
        kind: 'parameter',
        says: 'lists only networks made by users with the filter type=custom',
        since: '1.23',
      },
      'filters-type-builtin': {
        kind: 'parameter',
        says: 'lists only pre-defined networks with the filter type=builtin',
        since: '1.23',
      },
    },
  ),
  ...fieldRules('networks.list', { endpoint: list, source: shape, row: 'fields' }, networkListItem),
};
