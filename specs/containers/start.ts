import { serverError } from '../common-answers.ts';
import { containerIdRule, noContentRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { detachKeys } from '../parameters.ts';
import { hostConfig } from '../resources/host-config.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Start a container'] as const;

export const start = endpoint({
  id: 'containers.start',
  method: 'POST',
  path: '/containers/{id}/start',
  summary: 'starts a container',
  source,
  parameters: { id: containerId, detachKeys },
  body: { mediaType: 'application/json', required: false, schema: hostConfig, until: '1.23' },
  answers: {
    204: { says: 'the container has started', body: 'empty' },
    304: { says: 'the container was already started', body: 'empty' },
    404: noSuchContainer,
    400: { says: 'the request has a body', body: 'text', since: '1.24' },
    500: serverError,
  },
});

export const startRules = rules(
  'containers.start',
  { endpoint: start, source, row: '204, 304, 404, 500' },
  {
    'answers-204': {
      kind: 'status',
      says: 'answers 204 when it starts a container',
      needs: running,
    },
    'empty-body': { ...noContentRule, needs: running },
    'started-answers-304': {
      kind: 'state',
      says: 'answers 304 when the container is already started',
      source: [1, 'States and transitions'],
      row: 'start',
      needs: running,
    },
    'unknown-answers-404': unknownContainerRule,
    'server-error-500': serverErrorRule,
    'id-or-name': { ...containerIdRule, needs: running },
    'container-runs': {
      kind: 'state',
      says: 'leaves the container running',
      needs: running,
    },
    'starts-again': {
      kind: 'state',
      says: 'starts a container again that has exited',
      level: 'should',
      interpretations: ['start-exited'],
      needs: running,
    },
    'host-config-body': {
      until: '1.23',
      kind: 'parameter',
      says: 'accepts a HostConfig as JSON in the body',
      row: 'body',
      needs: running,
    },
    'body-refused-400': {
      kind: 'version',
      says: 'answers 400 to a body that is not empty and leaves the container as it is, and accepts {}',
      source: [4, 'Containers'],
      since: '1.24',
    },
    'body-optional': { kind: 'parameter', says: 'needs no body', row: 'body', needs: running },
    detachKeys: {
      kind: 'parameter',
      says: 'accepts in detachKeys the keys that end an attached session',
      row: 'detachKeys',
      since: '1.23',
      needs: running,
    },
    'detachKeys-letter': {
      kind: 'limit',
      says: 'accepts a single letter in detachKeys',
      source: [1, 'Limits'],
      row: 'detachKeys',
      since: '1.23',
      needs: running,
    },
    'detachKeys-ctrl': {
      kind: 'limit',
      says: 'accepts ctrl- with a lower-case letter or one of @ ^ [ , _ in detachKeys',
      source: [1, 'Limits'],
      row: 'detachKeys',
      since: '1.23',
      needs: running,
    },
    'detachKeys-refused': {
      kind: 'limit',
      says: 'refuses malformed detachKeys',
      source: [1, 'Limits'],
      row: 'detachKeys',
      level: 'should',
      interpretations: ['bad-parameter'],
      since: '1.23',
      needs: running,
    },
    'detachKeys-effect': {
      kind: 'observe',
      says: 'whether the keys given at start end a session of a client that gives none',
      row: 'detachKeys',
      since: '1.23',
      needs: running,
    },
    'body-effect': {
      until: '1.23',
      kind: 'observe',
      says: 'whether a HostConfig in the body changes the container',
      row: 'body',
      needs: running,
    },
  },
);
