import { serverError } from '../common-answers.ts';
import { containerIdRule, noContentRule, pausable, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Pause and unpause'] as const;

export const pause = endpoint({
  id: 'containers.pause',
  method: 'POST',
  path: '/containers/{id}/pause',
  summary: 'pauses a container',
  source,
  parameters: { id: containerId },
  answers: {
    204: { says: 'the container is paused', body: 'empty' },
    404: noSuchContainer,
    500: serverError,
  },
});

export const unpause = endpoint({
  id: 'containers.unpause',
  method: 'POST',
  path: '/containers/{id}/unpause',
  summary: 'resumes a paused container',
  source,
  parameters: { id: containerId },
  answers: {
    204: { says: 'the container goes on', body: 'empty' },
    404: noSuchContainer,
    500: serverError,
  },
});

export const pauseRules = rules(
  'containers.pause',
  { endpoint: pause, source, row: 'pause, unpause, 204, 404, 500' },
  {
    'answers-204': { kind: 'status', says: 'answers 204 when it pauses a running container', needs: pausable },
    'empty-body': { ...noContentRule, needs: pausable },
    'unknown-answers-404': { ...unknownContainerRule, needs: pausable },
    'server-error-500': serverErrorRule,
    'id-or-name': { ...containerIdRule, needs: pausable },
    'container-paused': {
      kind: 'state',
      says: 'leaves the container paused, as inspect shows in State.Paused',
      source: [1, 'States and transitions'],
      row: 'states',
      needs: pausable,
    },
    'process-halts': {
      kind: 'state',
      says: 'halts the processes of the container',
      level: 'should',
      interpretations: ['pause-halts'],
      needs: pausable,
    },
    'paused-again': {
      kind: 'observe',
      says: 'what it answers for a container that is already paused',
      interpretations: ['listed-codes'],
      needs: pausable,
    },
    'not-running': {
      kind: 'observe',
      says: 'what it answers for a container that is not running',
      interpretations: ['listed-codes'],
    },
  },
);

export const unpauseRules = rules(
  'containers.unpause',
  { endpoint: unpause, source, row: 'pause, unpause, 204, 404, 500' },
  {
    'answers-204': { kind: 'status', says: 'answers 204 when it resumes a paused container', needs: pausable },
    'empty-body': { ...noContentRule, needs: pausable },
    'unknown-answers-404': { ...unknownContainerRule, needs: pausable },
    'server-error-500': serverErrorRule,
    'id-or-name': { ...containerIdRule, needs: pausable },
    'container-runs': {
      kind: 'state',
      says: 'leaves the container running and not paused',
      source: [1, 'States and transitions'],
      row: 'states',
      needs: pausable,
    },
    'process-goes-on': {
      kind: 'state',
      says: 'lets the processes of the container continue',
      level: 'should',
      interpretations: ['pause-halts'],
      needs: pausable,
    },
    'not-paused': {
      kind: 'observe',
      says: 'what it answers for a container that is not paused',
      interpretations: ['listed-codes'],
      needs: pausable,
    },
  },
);
