import { serverError } from '../common-answers.ts';
import { containerIdRule, jsonBodyRule, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules } from '../fields.ts';
import { copyBody } from '../resources/container-operations.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Copy files from a container'] as const;

export const copy = endpoint({
  id: 'containers.copy',
  until: '1.23',
  method: 'POST',
  path: '/containers/{id}/copy',
  summary: 'gives files of a container as a tar archive; deprecated',
  source,
  parameters: { id: containerId },
  body: { mediaType: 'application/json', required: true, schema: copyBody },
  answers: {
    200: { says: 'the files', body: 'tar', mediaType: 'application/x-tar' },
    404: noSuchContainer,
    500: serverError,
  },
});

export const copyRules = {
  ...rules(
    'containers.copy',
    { endpoint: copy, source, row: 'Resource, 200, 404, 500' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 for a path of a container' },
      'unknown-answers-404': unknownContainerRule,
      'server-error-500': serverErrorRule,
      'id-or-name': containerIdRule,
      'media-type': { kind: 'header', says: 'sends Content-Type: application/x-tar' },
      'json-media-type': jsonBodyRule,
      'body-tar': {
        kind: 'format',
        says: 'sends a tar archive of the path in Resource',
      },
      deprecated: {
        kind: 'version',
        says: 'is still available in every version, although the archive endpoints replace it',
        source: [1, 'Versioning'],
        row: 'copy',
      },
      'missing-path': {
        kind: 'observe',
        says: 'what it answers when the path in Resource does not exist',
        interpretations: ['listed-codes'],
      },
      'pseudo-paths': {
        kind: 'observe',
        says: 'what it answers to a path under /proc, /sys or /dev',
        source: [1, 'Limits'],
        row: 'archive',
      },
    },
  ),
  ...rules(
    'containers.copy',
    { source: [4, 'Containers'] },
    {
      gone: {
        kind: 'version',
        says: 'the daemon answers 404 to POST /containers/{id}/copy, which is gone',
        since: '1.24',
      },
    },
  ),
  ...bodyRules('containers.copy', { endpoint: copy, source }, copyBody),
};
