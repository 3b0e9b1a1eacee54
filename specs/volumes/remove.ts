import { serverError } from '../common-answers.ts';
import { noContentRule, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';
import { volumeName } from './common.ts';

const source = [3, 'Volumes'] as const;

export const remove = endpoint({
  id: 'volumes.remove',
  since: '1.21',
  method: 'DELETE',
  path: '/volumes/{name}',
  summary: 'removes a volume',
  source,
  parameters: { name: volumeName },
  answers: {
    204: { says: 'the volume is removed', body: 'empty' },
    404: { says: 'there is no such volume or driver', body: 'text' },
    409: { says: 'the volume is in use', body: 'text' },
    500: serverError,
  },
});

export const removeRules = rules(
  'volumes.remove',
  { endpoint: remove, source, row: 'DELETE /volumes/{name}' },
  {
    'answers-204': { kind: 'status', says: 'answers 204 when it removes a volume' },
    'empty-body': noContentRule,
    'unknown-answers-404': { kind: 'status', says: 'answers 404 when there is no such volume' },
    'unknown-driver-404': {
      kind: 'status',
      says: 'answers 404 when there is no such volume driver',
      unchecked: 'a volume whose driver has gone cannot be made through the interface',
    },
    'in-use-answers-409': {
      kind: 'state',
      says: 'answers 409 when the volume is in use',
      source: [1, 'States and transitions'],
      row: 'volume remove',
    },
    'in-use-kept': {
      kind: 'state',
      says: 'keeps the volume that it refuses to remove, as it is in use',
      source: [1, 'States and transitions'],
      row: 'volume remove',
      needs: ['containers-run'],
    },
    'in-use-shared-answers-409': {
      kind: 'state',
      says: 'answers 409 when the volume is in use only by a container that has it through VolumesFrom',
      source: [1, 'States and transitions'],
      row: 'volume remove',
      needs: ['containers-run'],
    },
    'server-error-500': serverErrorRule,
    'by-name': {
      kind: 'parameter',
      says: 'finds the volume by its name',
      source: [1, 'Conventions used by all endpoints'],
      row: 'exec_id, volume_name, network_id_or_name',
    },
    'data-gone': {
      kind: 'state',
      says: 'removes the contents of the volume, so that a new one of the same name is empty',
      needs: ['containers-run'],
    },
    'volume-gone': { kind: 'state', says: 'leaves no volume of that name' },
  },
);
