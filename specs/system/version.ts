import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { versionInformation } from '../resources/system.ts';
import { rules } from '../rule.ts';

const source = [3, 'System'] as const;

export const version = endpoint({
  id: 'system.version',
  method: 'GET',
  path: '/version',
  summary: 'gives the versions of the daemon',
  source,
  parameters: {},
  answers: {
    200: { says: 'the versions of the daemon', body: 'object', schema: versionInformation },
    500: serverError,
  },
});

export const versionRules = {
  ...rules(
    'system.version',
    { endpoint: version, source, row: 'GET /version' },
    {
      'answers-200': { kind: 'status', says: 'answers 200' },
      'server-error-500': serverErrorRule,
      'ApiVersion-form': {
        kind: 'version',
        says: 'gives the API version in ApiVersion, two numbers separated by a dot',
        source: [1, 'Versioning'],
        row: 'ApiVersion',
      },
      undocumented: {
        kind: 'observe',
        says: 'which fields it has that the documents do not name',
        source: [1, 'Version information'],
        row: 'fields',
        interpretations: ['open-objects'],
      },
    },
  ),
  ...fieldRules(
    'system.version',
    { endpoint: version, source: [1, 'Version information'], row: 'fields' },
    versionInformation,
  ),
};
