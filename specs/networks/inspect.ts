import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { networkInspect } from '../resources/network.ts';
import { rules } from '../rule.ts';
import { networkId, networkIdRule, noSuchNetwork, unknownNetworkRule } from './common.ts';

const source = [3, 'Networks'] as const;

export const inspect = endpoint({
  id: 'networks.inspect',
  since: '1.21',
  method: 'GET',
  path: '/networks/{id}',
  summary: 'describes a network',
  source,
  parameters: { id: networkId },
  answers: {
    200: { says: 'the network', body: 'object', schema: networkInspect },
    404: noSuchNetwork,
    500: serverError,
  },
});

export const inspectRules = {
  ...rules(
    'networks.inspect',
    { endpoint: inspect, source, row: 'GET /networks/{id}' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 for a network' },
      'unknown-answers-404': unknownNetworkRule,
      'server-error-500': serverErrorRule,
      'id-or-name': networkIdRule,
      containers: {
        kind: 'format',
        says: 'tells of a container on the network what inspect of the container does',
        source: [1, 'Network'],
        row: 'fields',
        level: 'should',
        interpretations: ['network-and-container'],
        needs: ['containers-run', 'networking'],
      },
    },
  ),
  ...fieldRules('networks.inspect', { endpoint: inspect, source: [1, 'Network'], row: 'fields' }, networkInspect),
};
