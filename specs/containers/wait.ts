import { serverError } from '../common-answers.ts';
import { containerIdRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { waitResult } from '../resources/container.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Wait for a container'] as const;
const states = [1, 'States and transitions'] as const;

const later = { source: [4, 'Containers'], since: '1.30', needs: running } as const;

export const wait = endpoint({
  id: 'containers.wait',
  method: 'POST',
  path: '/containers/{id}/wait',
  summary: 'waits until a container stops',
  source,
  parameters: {
    id: containerId,
    condition: {
      in: 'query',
      schema: { type: 'string', enum: ['not-running', 'next-exit', 'removed'], default: 'not-running' },
      says: 'what to wait for',
      since: '1.30',
    },
  },
  answers: {
    200: { says: 'the container has stopped', body: 'object', schema: waitResult },
    404: noSuchContainer,
    500: serverError,
  },
});

export const waitRules = {
  ...rules(
    'containers.wait',
    { endpoint: wait, source, row: '200, 404, 500' },
    {
      'answers-200': {
        kind: 'status',
        says: 'answers 200 when the container has stopped',
        needs: running,
      },
      'unknown-answers-404': unknownContainerRule,
      'server-error-500': serverErrorRule,
      'id-or-name': { ...containerIdRule, needs: running },
      'blocks-until-stopped': {
        kind: 'state',
        says: 'does not answer before the container stops',
        source: states,
        row: 'wait',
        needs: running,
      },
      'exit-code': {
        kind: 'state',
        says: 'gives the exit code of the process in StatusCode',
        source: states,
        row: 'wait',
        needs: running,
      },
      'several-clients': {
        kind: 'state',
        says: 'gives the exit code to every client that waits',
        source: states,
        row: 'wait',
        needs: running,
      },
      'stopped-at-once': {
        kind: 'state',
        says: 'answers at once with the exit code when the container has already stopped',
        source: states,
        row: 'wait',
        interpretations: ['wait-stopped'],
        needs: running,
      },
      'head-at-once': {
        kind: 'stream',
        says: 'sends the head of its answer before the container stops',
        ...later,
      },
      'condition-not-running': {
        kind: 'parameter',
        says: 'answers at once for a container that has already stopped when condition is not-running',
        ...later,
      },
      'condition-next-exit': {
        kind: 'parameter',
        says: 'sends the head of its answer at once and then waits for the next exit when condition is next-exit',
        ...later,
      },
      'condition-removed': {
        kind: 'parameter',
        says: 'waits until the container is removed when condition is removed',
        ...later,
      },
      created: {
        kind: 'observe',
        says: 'what it does for a container that was never started',
        interpretations: ['wait-created'],
      },
    },
  ),
  ...fieldRules(
    'containers.wait',
    { endpoint: wait, source: [1, 'Other container-related shapes'], row: 'wait response' },
    waitResult,
  ),
};
