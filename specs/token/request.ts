import { wholeSection } from '../document-rows/row.ts';
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
    { endpoint: request, source, needs: user },
    {
      'answers-200': { kind: 'token', says: 'answers 200 when it gives a token', row: '200' },
      'form-body': {
        kind: 'header',
        says: 'accepts a form with Content-Type: application/x-www-form-urlencoded',
        row: 'POST {auth_url}/token',
      },
      'media-type': { kind: 'header', says: 'sends Content-Type: application/json', row: '200' },
      'may-answer-404': {
        kind: 'observe',
        says: 'whether it answers 404, as it does not give tokens this way',
        row: '2',
        interpretations: ['token-404'],
        needs: [],
      },
      'grant-password': {
        kind: 'token',
        says: 'gives a refresh token for a username and password when grant_type is password',
        row: 'grant_type',
      },
      'grant-refresh': {
        kind: 'token',
        says: 'gives an access token for a refresh token when grant_type is refresh_token',
        row: 'refresh_token',
      },
      'grant-authorization-code': {
        kind: 'observe',
        says: 'what it answers when grant_type is authorization_code',
        row: 'grant_type',
      },
      'grant-missing-refused': {
        kind: 'token',
        says: 'gives no token without grant_type',
        row: 'grant_type',
        interpretations: ['token-errors'],
      },
      'grant-unknown-refused': {
        kind: 'token',
        says: 'gives no token when grant_type is none of the three',
        row: 'grant_type',
        interpretations: ['token-errors'],
      },
      'service-missing-refused': {
        kind: 'token',
        says: 'gives no token without service',
        row: 'service',
        interpretations: ['token-errors'],
      },
      'client-missing-refused': {
        kind: 'token',
        says: 'gives no token without client_id',
        row: 'client_id',
        interpretations: ['token-errors'],
      },
      'client-not-registered': {
        kind: 'token',
        says: 'gives a token to a client that it does not know',
        row: 'client_id',
      },
      'client-syntax': {
        kind: 'token',
        says: 'accepts a client_id of printable ASCII characters',
        row: 'client_id',
      },
      'service-bound': {
        kind: 'token',
        says: 'gives no token for a service other than the one that a refresh token was given for',
        row: 'service',
        interpretations: ['token-errors'],
      },
      'offline-refresh-token': {
        kind: 'token',
        says: 'gives a refresh token when access_type is offline',
        row: 'access_type',
      },
      'online-default': {
        kind: 'token',
        says: 'gives no refresh token when access_type is not set, whatever grant_type is',
        row: 'access_type',
      },
      'online-no-refresh-token': {
        kind: 'token',
        says: 'gives no refresh token when access_type is online, whatever grant_type is',
        row: 'access_type',
      },
      'same-refresh-token': {
        kind: 'token',
        says: 'gives the same refresh token again when access_type is offline and grant_type is refresh_token',
        row: 'access_type',
      },
      'scope-repository': {
        kind: 'token',
        says: 'accepts a scope of the form repository:<name>:<actions>',
        row: 'scope',
      },
      'scope-actions': {
        kind: 'token',
        says: 'accepts several actions separated by commas in a scope',
        row: 'scope',
      },
      'scope-list': { kind: 'token', says: 'accepts a list of scopes in one scope parameter', row: 'scope' },
      'scope-form': {
        kind: 'observe',
        says: 'how it writes a scope of several resources and actions in its answer',
        row: 'scope',
        interpretations: ['scope-form'],
      },
      'scope-empty': { kind: 'token', says: 'gives a refresh token without a scope', row: 'scope' },
      'scope-subset': {
        kind: 'token',
        says: 'lists in scope no more than what was asked for',
        row: 'scope granted',
        interpretations: ['scope-form'],
      },
      'other-scope': {
        kind: 'token',
        says: 'gives access tokens with another scope for the same refresh token',
        row: 'refresh_token given',
      },
      'bad-password-refused': {
        kind: 'token',
        says: 'gives no token for a wrong password',
        row: 'grant_type',
        interpretations: ['token-errors'],
      },
      'bad-username-refused': {
        kind: 'token',
        says: 'gives no token for a username that it does not know',
        row: 'username',
        interpretations: ['token-errors'],
      },
      'bad-refresh-token-refused': {
        kind: 'token',
        says: 'gives no token for a refresh token that it has not given',
        row: 'grant_type',
        interpretations: ['token-errors'],
      },
      'expires-in-60': {
        kind: 'limit',
        says: 'gives no token that is valid for less than 60 seconds',
        source: [1, 'Limits'],
        row: 'expires_in',
        interpretations: ['expires-in'],
      },
      'expires-in-default': {
        kind: 'limit',
        says: 'gives a token that is valid for 60 seconds when expires_in is missing',
        source: [1, 'Limits'],
        row: 'expires_in',
        interpretations: ['expires-in'],
        unchecked: 'how long a token is good for shows only at a registry that takes it',
      },
      'issued-at-utc': {
        kind: 'token',
        says: 'gives issued_at, if at all, as an RFC 3339 time in UTC',
        row: 'issued_at',
      },
      'issued-at-missing': {
        kind: 'token',
        says: 'lets the time count from the end of the exchange when issued_at is missing',
        row: 'issued_at',
        unchecked: 'it tells clients how to count',
      },
      'bearer-token': {
        kind: 'token',
        says: 'gives an access token that a client can send as a bearer token',
        row: 'access_token',
      },
      'tokens-opaque': {
        kind: 'token',
        says: 'gives tokens that clients need not read',
        row: 'access_token',
        unchecked: 'it tells clients what not to do',
      },
      'refresh-token-secret': {
        kind: 'token',
        says: 'gives a refresh token that clients keep secret and send only to it',
        row: 'refresh_token given',
        unchecked: 'it tells clients what not to do',
      },
      'refresh-token-long': {
        kind: 'token',
        says: 'gives refresh tokens that are long enough and can be revoked',
        row: '1',
        unchecked: 'how long is enough, and how a token is revoked, is not stated',
      },
      'error-answers': {
        kind: 'observe',
        says: 'which status and body it sends when it gives no token',
        row: wholeSection,
        interpretations: ['token-errors'],
      },
      'other-media-type': {
        kind: 'observe',
        says: 'what it answers when the parameters are JSON',
        row: 'POST {auth_url}/token',
      },
      'get-variant': { kind: 'observe', says: 'what it answers to GET', row: 'GET', needs: [] },
    },
  ),
  ...bodyRules('token', { endpoint: request, source, needs: user }, tokenRequest),
  ...fieldRules('token', { endpoint: request, source, needs: user }, tokenResponse),
};
