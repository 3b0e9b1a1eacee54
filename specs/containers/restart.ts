import { serverError } from '../common-answers.ts';
import { containerIdRule, noContentRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer, secondsToWait, stopSignal } from './common.ts';

const source = [2, 'Restart a container'] as const;

export const restart = endpoint({
  id: 'containers.restart',
  method: 'POST',
  path: '/containers/{id}/restart',
  summary: 'stops a container and starts it again',
  source,
  parameters: { id: containerId, t: secondsToWait, signal: stopSignal },
  answers: {
    204: { says: 'the container was started again', body: 'empty' },
    404: noSuchContainer,
    500: serverError,
  },
});

export const restartRules = rules(
  'containers.restart',
  { endpoint: restart, source, row: 't, 204, 404, 500' },
  {
    'answers-204': {
      kind: 'status',
      says: 'answers 204 when it restarts a running container',
      needs: running,
    },
    'empty-body': { ...noContentRule, needs: running },
    'unknown-answers-404': unknownContainerRule,
    'server-error-500': serverErrorRule,
    'id-or-name': { ...containerIdRule, needs: running },
    'new-process': {
      kind: 'state',
      says: 'leaves the container running with a new process',
      needs: running,
    },
    'kills-after-t': {
      kind: 'parameter',
      says: 'kills the container when it has not stopped after t seconds',
      source: [1, 'States and transitions'],
      row: 'stop, restart',
      needs: running,
    },
    'kills-soon-after-t': {
      kind: 'parameter',
      says: 'kills the container soon after t seconds, and not much later',
      source: [1, 'States and transitions'],
      row: 'stop, restart',
      level: 'should',
      interpretations: ['kill-delay'],
      needs: running,
    },
    'waits-up-to-t': {
      kind: 'parameter',
      says: 'does not kill a container that stops by itself within t seconds',
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
    exited: {
      kind: 'observe',
      says: 'what it does with a container that has exited',
      needs: running,
    },
  },
);
