import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';
import { networkId, networkIdRule, noSuchNetwork, unknownNetworkRule } from './common.ts';

const source = [3, 'Networks'] as const;
const networking = ['networking'] as const;

export const remove = endpoint({
  id: 'networks.remove',
  since: '1.21',
  method: 'DELETE',
  path: '/networks/{id}',
  summary: 'removes a network',
  source,
  parameters: { id: networkId },
  answers: {
    200: { says: 'the network is removed', body: 'empty', until: '1.21' },
    204: { says: 'the network is removed', body: 'empty', since: '1.23' },
    403: { says: 'the network is pre-defined', body: 'text' },
    404: noSuchNetwork,
    500: serverError,
  },
});

export const removeRules = rules(
  'networks.remove',
  { endpoint: remove, source, row: 'DELETE /networks/{id}' },
  {
    'answers-200': {
      kind: 'version',
      says: 'answers 200 when it removes a network',
      until: '1.21',
      needs: networking,
    },
    'answers-204': {
      kind: 'version',
      says: 'answers 204 when it removes a network',
      since: '1.23',
      needs: networking,
    },
    'empty-body': { kind: 'format', says: 'sends no body', needs: networking },
    'predefined-answers-403': {
      kind: 'state',
      says: 'answers 403 for a pre-defined network',
      source: [1, 'States and transitions'],
      row: 'network remove',
    },
    'unknown-answers-404': unknownNetworkRule,
    'server-error-500': serverErrorRule,
    'id-or-name': { ...networkIdRule, needs: networking },
    'network-gone': { kind: 'state', says: 'leaves no network of that name', needs: networking },
    'in-use': {
      kind: 'observe',
      says: 'what it answers when a container is on the network',
      interpretations: ['listed-codes'],
      needs: ['containers-run', 'networking'],
    },
  },
);
