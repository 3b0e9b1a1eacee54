import type { Schema } from '../schema.ts';

const text = { type: 'string', presence: 'echo' } as const satisfies Schema;

/** What X-Registry-Auth carries (Document 1, Registry credential objects). */
const authConfig = {
  title: 'AuthConfig',
  type: 'object',
  properties: {
    username: text,
    password: text,
    email: text,
    identitytoken: { ...text, since: '1.23', says: 'a token instead of the other members' },
  },
} as const satisfies Schema;

/** The header with the credentials for one registry (Document 1, Registry credentials carried by the engine API). */
export const authHeader = {
  type: 'string',
  contentEncoding: 'base64',
  contentMediaType: 'application/json',
  contentSchema: authConfig,
} as const satisfies Schema;

/** What X-Registry-Config carries (Document 1, Registry credential objects). */
const registryConfig = {
  title: 'RegistryConfig',
  type: 'object',
  says: 'host names of registries with the credentials for each',
  additionalProperties: { type: 'object', properties: { username: text, password: text } },
} as const satisfies Schema;

/** The header with credentials for several registries (Document 1, Registry credentials carried by the engine API). */
export const registryConfigHeader = {
  type: 'string',
  contentEncoding: 'base64url',
  contentMediaType: 'application/json',
  contentSchema: registryConfig,
} as const satisfies Schema;

/** The body of POST /auth (Document 1, Registry credential objects). */
export const authCheckBody = {
  title: 'AuthCheckBody',
  type: 'object',
  properties: {
    username: text,
    password: text,
    serveraddress: { ...text, says: 'the registry' },
    email: { ...text, until: '1.21' },
  },
} as const satisfies Schema;

/** The answer of POST /auth (Document 3, System). */
export const authCheckResult = {
  title: 'AuthCheckResult',
  type: 'object',
  properties: {
    Status: { type: 'string', presence: 'should', since: '1.23' },
    IdentityToken: { type: 'string', presence: 'optional', since: '1.23', says: 'a token to log in with' },
  },
} as const satisfies Schema;
