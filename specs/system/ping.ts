import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';

const source = [3, 'System'] as const;

export const ping = endpoint({
  id: 'system.ping',
  method: 'GET',
  path: '/_ping',
  summary: 'says that the daemon is there',
  source,
  parameters: {},
  answers: { 200: { says: 'the daemon is there', body: 'text', mediaType: 'text/plain' }, 500: serverError },
});

export const pingRules = rules(
  'system.ping',
  { endpoint: ping, source, row: 'GET /_ping' },
  {
    'answers-200': { kind: 'status', says: 'answers 200' },
    'body-OK': { kind: 'format', says: 'answers OK' },
    'text-plain': { kind: 'header', says: 'answers with Content-Type: text/plain', interpretations: ['header-case'] },
    'server-error-500': serverErrorRule,
  },
);
