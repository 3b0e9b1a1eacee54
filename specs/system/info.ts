import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { systemInformation } from '../resources/system.ts';
import { rules } from '../rule.ts';

const source = [3, 'System'] as const;

export const info = endpoint({
  id: 'system.info',
  method: 'GET',
  path: '/info',
  summary: 'describes the daemon and its host',
  source,
  parameters: {},
  answers: {
    200: { says: 'the daemon and its host', body: 'object', schema: systemInformation },
    500: serverError,
  },
});

export const infoRules = {
  ...rules(
    'system.info',
    { endpoint: info, source, row: 'GET /info' },
    {
      'answers-200': { kind: 'status', says: 'answers 200' },
      'server-error-500': serverErrorRule,
      'no-ExecutionDriver': {
        kind: 'version',
        says: 'no longer has ExecutionDriver',
        source: [4, 'System and events'],
        since: '1.25',
      },
      'no-KernelMemory': {
        kind: 'version',
        says: 'no longer has KernelMemory',
        source: [4, 'System and events'],
        since: '1.42',
      },
      undocumented: {
        kind: 'observe',
        says: 'which fields it has that the documents do not name',
        source: [1, 'System information'],
        row: 'fields',
        interpretations: ['open-objects'],
      },
    },
  ),
  ...fieldRules('system.info', { endpoint: info, source: [1, 'System information'], row: 'fields' }, systemInformation),
};
