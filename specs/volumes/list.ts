import { serverError } from '../common-answers.ts';
import { filtersRules, running, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { filters } from '../parameters.ts';
import { volumeList } from '../resources/volume.ts';
import { rules } from '../rule.ts';

const source = [3, 'Volumes'] as const;

export const list = endpoint({
  id: 'volumes.list',
  since: '1.21',
  method: 'GET',
  path: '/volumes',
  summary: 'lists volumes',
  source,
  parameters: {
    filters: {
      in: 'query',
      schema: filters({ dangling: { says: 'true for volumes that no container uses' } }),
      says: 'conditions for the volumes',
    },
  },
  answers: { 200: { says: 'the volumes', body: 'object', schema: volumeList }, 500: serverError },
});

export const listRules = {
  ...rules(
    'volumes.list',
    { endpoint: list, source, row: 'GET /volumes' },
    {
      'answers-200': { kind: 'status', says: 'answers 200' },
      'server-error-500': serverErrorRule,
      'every-volume': { kind: 'format', says: 'lists every volume once' },
      'as-inspected': {
        kind: 'format',
        says: 'tells of a volume what inspect does',
        source: [1, 'Volume'],
        row: 'fields',
        level: 'should',
        interpretations: ['list-and-inspect'],
      },
      ...filtersRules,
      'filters-other': {
        kind: 'observe',
        says: 'what it answers to dangling=false and to a filter that the documents do not name',
      },
      'filters-dangling': {
        kind: 'parameter',
        says: 'lists only volumes that no container uses with the filter dangling=true',
        needs: running,
      },
    },
  ),
  ...fieldRules('volumes.list', { endpoint: list, source: [1, 'Volume'], row: 'fields' }, volumeList),
};
