import { serverError } from '../common-answers.ts';
import { jsonBodyRule, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules } from '../fields.ts';
import { networkConnectBody, networkDisconnectBody } from '../resources/network.ts';
import { rules } from '../rule.ts';
import { firstCarried } from '../versions.ts';
import { networkId, networkIdRule, unknownNetworkRule } from './common.ts';

const source = [3, 'Networks'] as const;
const networked = ['containers-run', 'networking'] as const;
const missing = { says: 'there is no such network or container', body: 'text' } as const;

export const connect = endpoint({
  id: 'networks.connect',
  since: '1.21',
  method: 'POST',
  path: '/networks/{id}/connect',
  summary: 'connects a container to a network',
  source,
  parameters: { id: networkId },
  body: { mediaType: 'application/json', required: true, schema: networkConnectBody },
  answers: { 200: { says: 'the container is connected', body: 'empty' }, 404: missing, 500: serverError },
});

export const disconnect = endpoint({
  id: 'networks.disconnect',
  since: '1.21',
  method: 'POST',
  path: '/networks/{id}/disconnect',
  summary: 'disconnects a container from a network',
  source,
  parameters: { id: networkId },
  body: { mediaType: 'application/json', required: true, schema: networkDisconnectBody },
  answers: { 200: { says: 'the container is disconnected', body: 'empty' }, 404: missing, 500: serverError },
});

export const connectRules = {
  ...rules(
    'networks.connect',
    { endpoint: connect, source, row: 'POST /networks/{id}/connect' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 when it connects a container', needs: networked },
      'empty-body': { kind: 'format', says: 'sends no body', needs: networked },
      'unknown-answers-404': unknownNetworkRule,
      'unknown-container-404': {
        kind: 'status',
        says: 'answers 404 when there is no such container',
        needs: ['networking'],
      },
      'server-error-500': serverErrorRule,
      'id-or-name': { ...networkIdRule, needs: networked },
      'json-media-type': { ...jsonBodyRule, needs: networked },
      connected: { kind: 'state', says: 'leaves the container on the network', needs: networked },
      'before-start': {
        kind: 'state',
        says: 'connects a container that does not run, so that it is on the network once it is started',
        needs: networked,
      },
      again: {
        kind: 'status',
        says: 'answers with a listed status for a container that is already on the network, and leaves it there',
        level: 'should',
        later: { since: firstCarried, says: 'answers 403', statuses: { 200: [403] } },
        source: [1, 'Errors'],
        row: '403',
        interpretations: ['listed-codes'],
        needs: networked,
      },
      'container-id-or-name': {
        kind: 'field',
        says: 'finds the container by its identifier and by its name',
        needs: networked,
      },
      address: {
        kind: 'field',
        says: 'gives the container the IPv4Address of EndpointConfig',
        since: '1.23',
        needs: networked,
      },
      'seen-inside': {
        kind: 'observe',
        says: 'what a running container sees of a network that it is connected to',
        needs: networked,
      },
      'interface-inside': {
        kind: 'state',
        says: 'gives a running container one more network interface when it connects it',
        level: 'should',
        interpretations: ['seen-inside', 'interface-names'],
        needs: networked,
      },
      'names-inside': {
        kind: 'observe',
        says: 'where a container looks up its links and aliases',
        since: '1.23',
        needs: networked,
      },
    },
  ),
  ...bodyRules(
    'networks.connect',
    { endpoint: connect, source, row: 'POST /networks/{id}/connect' },
    networkConnectBody,
  ),
};

export const disconnectRules = {
  ...rules(
    'networks.disconnect',
    { endpoint: disconnect, source, row: 'POST /networks/{id}/disconnect' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 when it disconnects a container', needs: networked },
      'empty-body': { kind: 'format', says: 'sends no body', needs: networked },
      'unknown-answers-404': unknownNetworkRule,
      'unknown-container-404': {
        kind: 'status',
        says: 'answers 404 when there is no such container',
        source: [1, 'Errors'],
        row: '404',
        interpretations: ['listed-codes'],
        needs: ['networking'],
      },
      'server-error-500': serverErrorRule,
      'id-or-name': { ...networkIdRule, needs: networked },
      'json-media-type': { ...jsonBodyRule, needs: networked },
      disconnected: { kind: 'state', says: 'leaves the container off the network', needs: networked },
      'others-kept': { kind: 'state', says: 'leaves the container on its other networks', needs: networked },
      'interface-inside': {
        kind: 'state',
        says: 'removes a network interface from a running container when it disconnects it',
        level: 'should',
        interpretations: ['seen-inside', 'interface-names'],
        needs: networked,
      },
      force: {
        kind: 'field',
        says: 'disconnects the container with Force',
        since: '1.23',
        needs: networked,
      },
    },
  ),
  ...bodyRules(
    'networks.disconnect',
    { endpoint: disconnect, source, row: 'POST /networks/{id}/disconnect' },
    networkDisconnectBody,
  ),
};
