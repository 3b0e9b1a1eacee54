import { serverError } from '../common-answers.ts';
import { containerIdRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { fileChange } from '../resources/container-operations.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Inspect changes on a filesystem'] as const;

export const changes = endpoint({
  id: 'containers.changes',
  method: 'GET',
  path: '/containers/{id}/changes',
  summary: 'lists what has changed in the file system of a container',
  source,
  parameters: { id: containerId },
  answers: {
    200: { says: 'the changes', body: 'object', schema: { type: 'array', items: { $ref: fileChange } } },
    404: noSuchContainer,
    500: serverError,
  },
});

export const changesRules = {
  ...rules(
    'containers.changes',
    { endpoint: changes, source, row: '200, 404, 500' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 for a container' },
      'unknown-answers-404': unknownContainerRule,
      'server-error-500': serverErrorRule,
      'id-or-name': containerIdRule,
      'answers-list': { kind: 'format', says: 'answers with a list of changes', needs: running },
      'unchanged-list': {
        until: '1.23',
        kind: 'format',
        says: 'answers with an empty list when nothing has changed',
        level: 'should',
        interpretations: ['null-for-empty', 'unchanged-files'],
      },
      'modified-0': {
        kind: 'format',
        says: 'has Kind 0 for a path that was modified',
        needs: running,
      },
      'added-1': { kind: 'format', says: 'has Kind 1 for a path that was added', needs: running },
      'deleted-2': {
        kind: 'format',
        says: 'has Kind 2 for a path that was deleted',
        needs: running,
      },
    },
  ),
  ...fieldRules(
    'containers.changes',
    { endpoint: changes, source: [1, 'Other container-related shapes'], row: 'change' },
    fileChange,
  ),
};
