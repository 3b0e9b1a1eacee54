import type { RuleData } from '../rule.ts';

const source = [1, 'Registry token endpoint'] as const;
const registry = ['registry'] as const;

/** The rules for an engine as a client of a registry's token endpoint. */
export const tokenClientRules = {
  'token-bearer': {
    kind: 'token',
    says: 'sends the registry the access token from the token endpoint as a bearer token',
    source,
    row: 'access_token',
    needs: registry,
  },
  'token-post-404': {
    kind: 'token',
    says: 'gets its token with GET when the token endpoint answers POST with 404',
    source,
    row: '2',
    needs: registry,
  },
  'token-form': {
    kind: 'token',
    says: 'sends an identitytoken to the token endpoint in a form, as refresh_token with grant_type refresh_token',
    level: 'should',
    interpretations: ['identity-token'],
    source,
    row: 'grant_type',
    since: '1.23',
    needs: registry,
  },
  'token-service-client': {
    kind: 'token',
    says: 'sends the service of the challenge and a client_id of its own in the form to the token endpoint',
    source,
    row: 'service',
    since: '1.23',
    needs: registry,
  },
  'token-scope': {
    kind: 'token',
    says: 'asks the token endpoint for a scope of the form repository:<name>:<actions>',
    source,
    row: 'scope',
    since: '1.23',
    needs: registry,
  },
  'token-scope-once': {
    kind: 'token',
    says: 'sends one scope parameter to the token endpoint when the challenge has several scopes',
    source,
    row: 'scope',
    since: '1.23',
    needs: registry,
  },
  'token-scope-list': {
    kind: 'token',
    says: 'asks the token endpoint for every scope of a challenge that has several',
    level: 'should',
    interpretations: ['challenge-scopes'],
    source,
    row: 'scope',
    since: '1.23',
    needs: registry,
  },
  'token-secret': {
    kind: 'token',
    says: 'sends an identitytoken to the token endpoint and not to the registry',
    level: 'should',
    interpretations: ['identity-token'],
    source,
    row: 'refresh_token given',
    since: '1.23',
    needs: registry,
  },
  'token-identity-404': {
    kind: 'token',
    says: 'continues with GET when the token endpoint answers the POST of an identitytoken with 404',
    level: 'should',
    interpretations: ['identity-token'],
    source,
    row: '2',
    since: '1.23',
    needs: registry,
  },
} as const satisfies Record<string, RuleData>;
