import { serverError } from '../common-answers.ts';
import { jsonBodyRule, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules, fieldRules } from '../fields.ts';
import { networkCreateBody, networkCreated } from '../resources/network.ts';
import { rules } from '../rule.ts';

const source = [3, 'Networks'] as const;
const networked = ['containers-run', 'networking'] as const;

export const create = endpoint({
  id: 'networks.create',
  since: '1.21',
  method: 'POST',
  path: '/networks/create',
  summary: 'creates a network',
  source,
  parameters: {},
  body: { mediaType: 'application/json', required: true, schema: networkCreateBody },
  answers: {
    201: { says: 'the network is created', body: 'object', schema: networkCreated },
    404: { says: 'there is no such driver', body: 'text' },
    500: serverError,
  },
});

export const createRules = {
  ...rules(
    'networks.create',
    { endpoint: create, source },
    {
      'answers-201': {
        kind: 'status',
        says: 'answers 201 when it creates a network',
        row: 'POST /networks/create',
        needs: ['networking'],
      },
      'unknown-driver-404': {
        kind: 'status',
        says: 'answers 404 when there is no such driver',
        row: 'POST /networks/create',
      },
      'server-error-500': { ...serverErrorRule, row: 'POST /networks/create' },
      'json-media-type': { ...jsonBodyRule, needs: ['networking'] },
      'name-missing-refused': {
        kind: 'field',
        says: 'refuses a body without a Name',
        row: 'Name',
        interpretations: ['bad-parameter'],
      },
      'duplicate-refused': {
        kind: 'field',
        says: 'refuses a name that is taken when CheckDuplicate is true',
        row: 'CheckDuplicate',
        level: 'should',
        interpretations: ['check-duplicate', 'listed-codes'],
        needs: ['networking'],
      },
      'duplicate-default': {
        kind: 'observe',
        says: 'what it does with a name that is taken when CheckDuplicate is not set',
        row: 'CheckDuplicate',
        needs: ['networking'],
      },
      'driver-default-bridge': {
        kind: 'field',
        says: 'uses the driver bridge when Driver is missing',
        row: 'Driver',
        needs: ['networking'],
      },
      'ipam-driver-default': {
        kind: 'field',
        says: "uses the driver 'default' for the addresses when IPAM has none",
        row: 'IPAM',
        needs: ['networking'],
      },
      'ipam-subnet': { kind: 'field', says: 'gives containers addresses of the Subnet', row: 'IPAM', needs: networked },
      'ipam-range': { kind: 'field', says: 'gives containers addresses of the IPRange', row: 'IPAM', needs: networked },
      'ipam-gateway': { kind: 'field', says: 'gives containers the Gateway', row: 'IPAM', needs: networked },
      'gateway-inside': {
        kind: 'field',
        says: 'routes traffic that leaves a container through the Gateway',
        row: 'IPAM',
        level: 'should',
        interpretations: ['seen-inside'],
        needs: networked,
      },
      'ipam-not-cidr-refused': {
        kind: 'field',
        says: 'refuses a Subnet that is not in CIDR form',
        row: 'IPAM',
        interpretations: ['bad-parameter'],
        needs: ['networking'],
      },
      'ipam-malformed-refused': {
        kind: 'field',
        says: 'refuses an IPRange that is not in CIDR form, and a Gateway that is no IP address',
        row: 'IPAM',
        interpretations: ['bad-parameter'],
        needs: networked,
      },
      internal: {
        kind: 'field',
        says: 'gives containers no access to the outside when Internal is true',
        row: 'Internal',
        since: '1.23',
        unchecked:
          'whether the outside can be reached depends on the host of the daemon, and a daemon may restrict it by routes or by filters',
      },
      'id-random': {
        kind: 'state',
        says: 'identifies networks by a random identifier: a network that is made again under the same name has another one',
        row: 'CheckDuplicate',
      },
      'usable-by-name': {
        kind: 'state',
        says: 'leaves a network that the other endpoints find by its name and identifier',
        row: 'POST /networks/create',
        needs: ['networking'],
      },
    },
  ),
  ...bodyRules('networks.create', { endpoint: create, source }, networkCreateBody),
  ...fieldRules('networks.create', { endpoint: create, source, row: 'POST /networks/create' }, networkCreated),
};
