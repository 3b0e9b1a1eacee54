import type { Schema } from '../schema.ts';

const text = { type: 'string', presence: 'optional' } as const satisfies Schema;
const required = { type: 'string', presence: 'must' } as const satisfies Schema;

/** The form that a client sends for a token (Document 1, Registry token endpoint). */
export const tokenRequest = {
  title: 'TokenRequest',
  type: 'object',
  properties: {
    grant_type: {
      ...required,
      enum: ['password', 'refresh_token', 'authorization_code'],
      says: 'the kind of credential',
    },
    service: { ...required, says: 'the name of the service that the token is for' },
    client_id: { ...required, pattern: '^[\\x20-\\x7e]*$', says: 'the name of the client, which need not be known' },
    access_type: {
      ...text,
      enum: ['online', 'offline'],
      default: 'online',
      says: 'offline to get a refresh token as well',
    },
    scope: { ...text, says: 'what the token is to permit' },
    refresh_token: { ...text, says: 'the credential when grant_type is refresh_token' },
    username: { ...text, says: 'the user when grant_type is password' },
    password: { ...text, says: 'the credential when grant_type is password' },
  },
} as const satisfies Schema;

/** The answer with a token (Document 1, Registry token endpoint). */
export const tokenResponse = {
  title: 'TokenResponse',
  type: 'object',
  properties: {
    access_token: { type: 'string', presence: 'must' },
    scope: {
      type: 'string',
      presence: 'must',
      says: 'what the token permits',
      row: 'scope granted',
      interpretations: ['absent-when-empty', 'scope-form'],
    },
    expires_in: {
      type: 'integer',
      minimum: 60,
      default: 60,
      presence: 'should',
      says: 'how many seconds the token is valid',
      interpretations: ['expires-in'],
    },
    issued_at: { type: 'string', format: 'date-time', presence: 'optional', says: 'the time of issue in UTC' },
    refresh_token: {
      type: 'string',
      presence: 'must',
      row: 'refresh_token given',
      when: 'when access_type is offline',
    },
  },
} as const satisfies Schema;
