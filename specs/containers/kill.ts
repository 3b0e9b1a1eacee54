import { serverError } from '../common-answers.ts';
import { containerIdRule, noContentRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Kill a container'] as const;

export const kill = endpoint({
  id: 'containers.kill',
  method: 'POST',
  path: '/containers/{id}/kill',
  summary: 'sends a signal to a container',
  source,
  parameters: {
    id: containerId,
    signal: {
      in: 'query',
      schema: { type: ['integer', 'string'], default: 'SIGKILL' },
      says: 'the signal, by its number or its name',
    },
  },
  answers: {
    204: { says: 'the signal was sent', body: 'empty' },
    404: noSuchContainer,
    500: serverError,
  },
});

export const killRules = rules(
  'containers.kill',
  { endpoint: kill, source, row: '204, 404, 500' },
  {
    'answers-204': {
      kind: 'status',
      says: 'answers 204 when it kills a running container',
      needs: running,
    },
    'empty-body': { ...noContentRule, needs: running },
    'unknown-answers-404': unknownContainerRule,
    'server-error-500': serverErrorRule,
    'id-or-name': { ...containerIdRule, needs: running },
    'signal-by-name': {
      kind: 'parameter',
      says: 'sends the signal that is named in signal',
      row: 'signal',
      needs: running,
    },
    'signal-by-number': {
      kind: 'parameter',
      says: 'sends the signal whose number is in signal',
      row: 'signal',
      needs: running,
    },
    'signal-default-SIGKILL': {
      kind: 'parameter',
      says: 'sends SIGKILL when signal is not set',
      source: [1, 'States and transitions'],
      row: 'kill',
      needs: running,
    },
    'waits-for-exit': {
      kind: 'state',
      says: 'answers only when the container has exited, when signal is not set',
      source: [1, 'States and transitions'],
      row: 'kill',
      needs: running,
    },
    'not-running': {
      kind: 'observe',
      says: 'what it answers for a container that is not running',
      interpretations: ['listed-codes'],
    },
    'unknown-signal': {
      kind: 'observe',
      says: 'what it answers to a signal that does not exist',
      row: 'signal',
      interpretations: ['listed-codes'],
      needs: running,
    },
  },
);
