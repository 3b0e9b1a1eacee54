import { endpoint } from '../endpoint.ts';
import { bodyRules, fieldRules } from '../fields.ts';
import { tokenRequest, tokenResponse } from '../resources/token.ts';
import { rules } from '../rule.ts';

const source = [1, 'Registry token endpoint'] as const;
const user = ['token-user'] as const;

export const request = endpoint({
  id: 'token',
  server: 'authorization',
  method: 'POST',
  path: '/token',
  summary: 'gives a token for a registry',
  source,
  parameters: {},
  body: { mediaType: 'application/x-www-form-urlencoded', required: true, schema: tokenRequest },
  answers: {
    200: { says: 'the token', body: 'object', mediaType: 'application/json', schema: tokenResponse },
    404: { says: 'the server does not give tokens this way', body: 'text' },
  },
});

export const tokenRules = {
  ...rules(
    'token',
    { endpoint: request, source },
    {
      'answers-200': { kind: 'token', says: 'answers 200 when it gives a token', needs: user },
      'form-body': {
        kind: 'header',
        says: 'takes a form with Content-Type: application/x-www-form-urlencoded',
        needs: user,
      },
      'media-type': { kind: 'header', says: 'sends Content-Type: application/json', needs: user },
      'may-answer-404': {
        kind: 'observe',
        says: 'whether it answers 404, as it does not give tokens this way',
        interpretations: ['token-404'],
      },
      'grant-password': {
        kind: 'token',
        says: 'gives a refresh token for a username and password when grant_type is password',
        needs: user,
      },
      'grant-refresh': {
        kind: 'token',
        says: 'gives an access token for a refresh token when grant_type is refresh_token',
        needs: user,
      },
      'grant-authorization-code': {
        kind: 'observe',
        says: 'what it answers when grant_type is authorization_code',
      },
      'grant-missing-refused': {
        kind: 'token',
        says: 'gives no token without grant_type',
        interpretations: ['token-errors'],
        needs: user,
      },
      'service-missing-refused': {
        kind: 'token',
        says: 'gives no token without service',
        interpretations: ['token-errors'],
        needs: user,
      },
      'client-missing-refused': {
        kind: 'token',
        says: 'gives no token without client_id',
        interpretations: ['token-errors'],
        needs: user,
      },
      'client-not-registered': {
        kind: 'token',
        says: 'gives a token to a client that it does not know',
        needs: user,
      },
      'client-syntax': {
        kind: 'token',
        says: 'takes a client_id of printable ASCII characters',
        needs: user,
      },
      'service-bound': {
        kind: 'token',
        says: 'gives no token for another service than the one a refresh token was given for',
        interpretations: ['token-errors'],
        needs: user,
      },
      'offline-refresh-token': {
        kind: 'token',
        says: 'gives a refresh token when access_type is offline',
        needs: user,
      },
      'online-default': {
        kind: 'token',
        says: 'gives no refresh token when access_type is not set',
        needs: user,
      },
      'online-no-refresh-token': {
        kind: 'token',
        says: 'gives no refresh token when access_type is online',
        needs: user,
      },
      'same-refresh-token': {
        kind: 'token',
        says: 'gives the same refresh token again when access_type is offline and grant_type is refresh_token',
        needs: user,
      },
      'scope-repository': {
        kind: 'token',
        says: 'takes a scope of the form repository:<name>:<actions>',
        needs: user,
      },
      'scope-actions': {
        kind: 'token',
        says: 'takes several actions with commas between in a scope',
        needs: user,
      },
      'scope-list': { kind: 'token', says: 'takes a list of scopes in one scope parameter', needs: user },
      'scope-empty': { kind: 'token', says: 'gives a refresh token without a scope', needs: user },
      'scope-subset': {
        kind: 'token',
        says: 'tells in scope no more than what was asked for',
        needs: user,
      },
      'other-scope': {
        kind: 'token',
        says: 'gives access tokens with another scope for the same refresh token',
        needs: user,
      },
      'bad-password-refused': {
        kind: 'token',
        says: 'gives no token for a wrong password',
        interpretations: ['token-errors'],
        needs: user,
      },
      'bad-refresh-token-refused': {
        kind: 'token',
        says: 'gives no token for a refresh token that it has not given',
        interpretations: ['token-errors'],
        needs: user,
      },
      'expires-in-60': {
        kind: 'limit',
        says: 'gives no token that is good for less than 60 seconds',
        source: [1, 'Limits'],
        interpretations: ['expires-in'],
        needs: user,
      },
      'expires-in-default': {
        kind: 'limit',
        says: 'gives a token that is good for 60 seconds when expires_in is missing',
        source: [1, 'Limits'],
        interpretations: ['expires-in'],
        unchecked: 'how long a token is good for shows only at a registry that takes it',
      },
      'issued-at-utc': {
        kind: 'token',
        says: 'gives issued_at, where it does, as a time of RFC 3339 in UTC',
        needs: user,
      },
      'issued-at-missing': {
        kind: 'token',
        says: 'lets the time count from the end of the exchange when issued_at is missing',
        unchecked: 'it tells clients how to count',
      },
      'bearer-token': {
        kind: 'token',
        says: 'gives an access token that a client can send as a bearer token',
        needs: user,
      },
      'tokens-opaque': {
        kind: 'token',
        says: 'gives tokens that clients need not read',
        unchecked: 'it tells clients what not to do',
      },
      'refresh-token-secret': {
        kind: 'token',
        says: 'gives a refresh token that clients keep secret and send only to it',
        unchecked: 'it tells clients what not to do',
      },
      'refresh-token-long': {
        kind: 'token',
        says: 'gives refresh tokens that are long enough and can be revoked',
        unchecked: 'how long is enough, and how a token is revoked, is not stated',
      },
      'error-answers': {
        kind: 'observe',
        says: 'which status and body it sends when it gives no token',
        interpretations: ['token-errors'],
      },
      'get-variant': { kind: 'observe', says: 'what it answers to GET' },
    },
  ),
  ...bodyRules('token', { endpoint: request, source }, tokenRequest),
  ...fieldRules('token', { endpoint: request, source }, tokenResponse),
};
