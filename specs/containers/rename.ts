import { serverError } from '../common-answers.ts';
import { containerIdRule, noContentRule, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';
import { containerId, containerName, noSuchContainer } from './common.ts';

const source = [2, 'Rename a container'] as const;
const limits = [1, 'Limits'] as const;

export const rename = endpoint({
  id: 'containers.rename',
  method: 'POST',
  path: '/containers/{id}/rename',
  summary: 'gives a container another name',
  source,
  parameters: { id: containerId, name: { ...containerName, required: true, says: 'the new name' } },
  answers: {
    204: { says: 'the container has the new name', body: 'empty' },
    404: noSuchContainer,
    409: { says: 'another container has the name', body: 'text' },
    500: serverError,
  },
});

export const renameRules = rules(
  'containers.rename',
  { endpoint: rename, source, row: 'name, 204, 404, 409, 500' },
  {
    'answers-204': { kind: 'status', says: 'answers 204 when it renames a container' },
    'empty-body': noContentRule,
    'unknown-answers-404': unknownContainerRule,
    'taken-answers-409': {
      kind: 'state',
      says: 'answers 409 when the new name is taken',
      source: [1, 'States and transitions'],
      row: 'rename',
    },
    'server-error-500': serverErrorRule,
    'id-or-name': containerIdRule,
    name: { kind: 'parameter', says: 'gives the container the name in name' },
    'name-letters': {
      later: {
        since: '1.24',
        says: 'refuses one of a single character, or that begins with another than a letter or digit',
      },
      kind: 'limit',
      says: 'accepts a name of letters, digits, underscores and hyphens, with or without a leading slash',
      source: limits,
      row: 'name',
      interpretations: ['name-pattern'],
    },
    'name-slash': {
      kind: 'limit',
      says: 'counts a leading slash as no part of the name',
      source: limits,
      row: 'name',
      interpretations: ['name-pattern'],
    },
    'name-refused': {
      kind: 'limit',
      says: 'refuses a name without any permitted character',
      source: limits,
      row: 'name',
      interpretations: ['name-pattern', 'name-refused'],
    },
    'name-mixed-refused': {
      later: { since: '1.24', says: 'takes a dot as permitted' },
      kind: 'limit',
      says: 'refuses a name that mixes permitted characters with others',
      source: limits,
      row: 'name',
      level: 'should',
      interpretations: ['name-pattern', 'name-refused'],
    },
    'name-missing': {
      kind: 'observe',
      says: 'what it answers when name is missing or empty',
      interpretations: ['listed-codes'],
    },
  },
);
