import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { volume } from '../resources/volume.ts';
import { rules } from '../rule.ts';
import { volumeName } from './common.ts';

const source = [3, 'Volumes'] as const;

export const inspect = endpoint({
  id: 'volumes.inspect',
  since: '1.21',
  method: 'GET',
  path: '/volumes/{name}',
  summary: 'describes a volume',
  source,
  parameters: { name: volumeName },
  answers: {
    200: { says: 'the volume', body: 'object', schema: volume },
    404: { says: 'there is no such volume', body: 'text' },
    500: serverError,
  },
});

export const inspectRules = {
  ...rules(
    'volumes.inspect',
    { endpoint: inspect, source, row: 'GET /volumes/{name}' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 for a volume' },
      'unknown-answers-404': { kind: 'status', says: 'answers 404 when there is no such volume' },
      'server-error-500': serverErrorRule,
      'by-name': {
        kind: 'parameter',
        says: 'finds the volume by its name',
        source: [1, 'Conventions used by all endpoints'],
        row: 'exec_id, volume_name, network_id_or_name',
      },
    },
  ),
  ...fieldRules('volumes.inspect', { endpoint: inspect, source: [1, 'Volume'], row: 'fields' }, volume),
};
