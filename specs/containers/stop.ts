import { serverError } from '../common-answers.ts';
import { containerIdRule, noContentRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer, secondsToWait, stopSignal } from './common.ts';

const source = [2, 'Stop a container'] as const;
const states = [1, 'States and transitions'] as const;

export const stop = endpoint({
  id: 'containers.stop',
  method: 'POST',
  path: '/containers/{id}/stop',
  summary: 'stops a container',
  source,
  parameters: { id: containerId, t: secondsToWait, signal: stopSignal },
  answers: {
    204: { says: 'the container has stopped', body: 'empty' },
    304: { says: 'the container was already stopped', body: 'empty' },
    404: noSuchContainer,
    500: serverError,
  },
});

export const stopRules = rules(
  'containers.stop',
  { endpoint: stop, source, row: '204, 304, 404, 500' },
  {
    'answers-204': {
      kind: 'status',
      says: 'answers 204 when it stops a running container',
      needs: running,
    },
    'empty-body': { ...noContentRule, needs: running },
    'stopped-answers-304': {
      kind: 'state',
      says: 'answers 304 when the container is already stopped',
      source: states,
      row: 'stop',
      needs: running,
    },
    'unknown-answers-404': unknownContainerRule,
    'server-error-500': serverErrorRule,
    'id-or-name': { ...containerIdRule, needs: running },
    'container-not-running': {
      kind: 'state',
      says: 'leaves the container not running',
      needs: running,
    },
    'kills-after-t': {
      kind: 'parameter',
      says: 'kills the container when it has not stopped after t seconds',
      source: states,
      row: 'stop, restart',
      needs: running,
    },
    'kills-soon-after-t': {
      kind: 'parameter',
      says: 'kills the container soon after t seconds, and not much later',
      source: states,
      row: 'stop, restart',
      level: 'should',
      interpretations: ['kill-delay'],
      needs: running,
    },
    'waits-up-to-t': {
      kind: 'parameter',
      says: 'does not kill a container that stops by itself within t seconds',
      row: 't',
      needs: running,
    },
    'signal-ignored': {
      kind: 'parameter',
      says: 'ignores signal',
      source: [4, 'Containers'],
      since: '1.24',
      until: '1.41',
      needs: running,
    },
    signal: {
      kind: 'parameter',
      says: 'stops the container with the signal in signal',
      source: [4, 'Containers'],
      since: '1.42',
      needs: running,
    },
    't-default': {
      kind: 'observe',
      says: 'how many seconds it waits before it kills when t is not set',
      row: 't',
      needs: running,
    },
    'bad-t': {
      kind: 'observe',
      says: 'what it answers to a t that is not an integer',
      row: 't',
      interpretations: ['listed-codes'],
      needs: running,
    },
    created: {
      kind: 'observe',
      says: 'what it answers for a container that was never started',
      interpretations: ['stop-created'],
    },
  },
);
