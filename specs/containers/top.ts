import { serverError } from '../common-answers.ts';
import { containerIdRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { processList } from '../resources/container-operations.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'List processes'] as const;

export const top = endpoint({
  id: 'containers.top',
  method: 'GET',
  path: '/containers/{id}/top',
  summary: 'lists the processes of a container',
  source,
  parameters: {
    id: containerId,
    ps_args: { in: 'query', schema: { type: 'string', default: '-ef' }, says: 'what ps is called with' },
  },
  answers: {
    200: { says: 'the processes', body: 'object', schema: processList },
    404: noSuchContainer,
    500: serverError,
  },
});

export const topRules = {
  ...rules(
    'containers.top',
    { endpoint: top, source, row: '200, 404, 500' },
    {
      'answers-200': {
        kind: 'status',
        says: 'answers 200 for a running container',
        needs: running,
      },
      'unknown-answers-404': unknownContainerRule,
      'server-error-500': serverErrorRule,
      'id-or-name': { ...containerIdRule, needs: running },
      'every-process': {
        kind: 'format',
        says: 'has one item for each process of the container',
        row: 'ps',
        needs: running,
      },
      columns: {
        kind: 'format',
        says: 'has as many strings for each process as there are titles',
        interpretations: ['top-columns'],
        needs: running,
      },
      ps_args: { kind: 'parameter', says: 'calls ps with the arguments in ps_args', row: 'ps_args', needs: running },
      'ps_args-default': {
        kind: 'parameter',
        says: 'has the columns of ps -ef when ps_args is not set',
        row: 'ps_args',
        level: 'should',
        interpretations: ['top-columns'],
        needs: running,
      },
      'not-unix': {
        kind: 'state',
        says: 'is not supported on hosts that are not Unix',
        row: 'ps',
        unchecked: 'the suite does not run on daemons that are not Unix',
      },
      'not-running': {
        kind: 'observe',
        says: 'what it answers for a container that is not running',
        row: 'ps',
        interpretations: ['listed-codes'],
      },
    },
  ),
  ...fieldRules(
    'containers.top',
    { endpoint: top, source: [1, 'Other container-related shapes'], row: 'top' },
    processList,
  ),
};
