import { serverError } from '../common-answers.ts';
import { containerIdRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Export a container'] as const;

export const exportContainer = endpoint({
  id: 'containers.export',
  method: 'GET',
  path: '/containers/{id}/export',
  summary: 'gives the contents of a container as a tar archive',
  source,
  parameters: { id: containerId },
  answers: {
    200: { says: 'the contents', body: 'tar', mediaType: 'application/octet-stream' },
    404: noSuchContainer,
    500: serverError,
  },
});

export const exportRules = rules(
  'containers.export',
  { endpoint: exportContainer, source, row: '200, 404, 500' },
  {
    'answers-200': { kind: 'status', says: 'answers 200 for a container' },
    'unknown-answers-404': unknownContainerRule,
    'server-error-500': serverErrorRule,
    'id-or-name': containerIdRule,
    'media-type': { kind: 'header', says: 'sends Content-Type: application/octet-stream' },
    'body-tar': { kind: 'format', says: 'sends a complete tar archive' },
    contents: {
      kind: 'format',
      says: 'contains the files of the container: those that it has written, and those of the image that it has not removed',
      needs: running,
    },
  },
);
