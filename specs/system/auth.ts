import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules, fieldRules } from '../fields.ts';
import { authCheckBody, authCheckResult } from '../resources/auth.ts';
import { rules } from '../rule.ts';
import { firstCarried } from '../versions.ts';

const source = [3, 'System'] as const;
const registry = ['registry'] as const;

export const auth = endpoint({
  id: 'system.auth',
  method: 'POST',
  path: '/auth',
  summary: 'checks credentials at a registry',
  source,
  parameters: {},
  body: { mediaType: 'application/json', required: true, schema: authCheckBody },
  answers: {
    200: [
      { says: 'the credentials are good', body: 'empty', until: '1.21' },
      { says: 'the credentials are good', body: 'object', schema: authCheckResult, since: '1.23' },
    ],
    204: { says: 'the credentials are good', body: 'empty' },
    401: { says: 'the registry refuses the credentials', body: 'text', since: firstCarried },
    500: serverError,
  },
});

export const authRules = {
  ...rules(
    'system.auth',
    { endpoint: auth, source, row: 'POST /auth' },
    {
      'good-credentials': {
        kind: 'auth',
        says: 'answers 200 or 204 to credentials that the registry accepts',
        interpretations: ['auth-20-21'],
        needs: registry,
      },
      'empty-body': {
        kind: 'version',
        says: 'sends no body to credentials that the registry accepts',
        until: '1.21',
        interpretations: ['auth-20-21'],
        needs: registry,
      },
      'bad-credentials': {
        kind: 'auth',
        says: 'refuses credentials that the registry does not accept',
        source: [1, 'Registry credentials carried by the engine API'],
        row: 'POST /auth',
        interpretations: ['listed-codes'],
        later: { since: firstCarried, says: 'answers 401', statuses: { 500: [401] } },
        needs: registry,
      },
      'identity-token': {
        kind: 'auth',
        says: 'gives the refresh token that a registry offers as IdentityToken, which logs in as identitytoken',
        since: '1.23',
        level: 'should',
        interpretations: ['identity-token'],
        needs: registry,
      },
      'token-form': {
        kind: 'token',
        says: 'posts a username and a password to a token endpoint in a form, with grant_type password, the service of the challenge and a client_id',
        source: [1, 'Registry token endpoint'],
        row: 'grant_type',
        needs: registry,
      },
      'server-error-500': serverErrorRule,
      'json-media-type': {
        kind: 'header',
        says: 'accepts a body with Content-Type: application/json',
        source: [1, 'Conventions used by all endpoints'],
        row: 'request bodies',
        needs: registry,
      },
    },
  ),
  ...bodyRules(
    'system.auth',
    { endpoint: auth, source: [1, 'Registry credential objects'], row: 'auth check body', needs: registry },
    authCheckBody,
  ),
  ...fieldRules('system.auth', { endpoint: auth, source, row: 'POST /auth', needs: registry }, authCheckResult),
};
