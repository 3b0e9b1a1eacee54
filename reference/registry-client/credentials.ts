import { badParameter } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { isObject } from '../http/fields.ts';

/** The credentials of a client for a registry: a name and a password, or since 1.23 a token. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly identityToken: string;
}

/** Reads an AuthConfig (Document 1, Registry credential objects); undefined when it holds no credentials. */
export function readCredentials(value: unknown, withToken: boolean): Credentials | undefined {
  if (!isObject(value)) throw badParameter('the credentials are not an object');
  const text = (name: string): string => {
    const member = value[name];
    if (member === undefined || member === null) return '';
    if (typeof member !== 'string') throw badParameter(`${name} is not a string`);
    return member;
  };
  const identityToken = withToken ? text('identitytoken') : '';
  const credentials = { username: text('username'), password: text('password'), identityToken };
  return credentials.username === '' && identityToken === '' ? undefined : credentials;
}

/** The credentials in X-Registry-Auth, base64 of an AuthConfig; undefined without any. */
export function headerCredentials(call: Call): Credentials | undefined {
  const header = call.req.headers['x-registry-auth'];
  if (typeof header !== 'string' || header === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(header, 'base64').toString());
  } catch {
    throw badParameter('X-Registry-Auth is not JSON in base64');
  }
  return readCredentials(value, call.since('1.23'));
}

/** The credentials for a registry, by its host name and port; undefined when there are none. */
export type CredentialsFor = (host: string) => Credentials | undefined;

/**
 * The credentials in X-Registry-Config: URL-safe base64 of a map from host names, with a port unless it is 443, to
 * credentials (Document 1, Registry credential objects).
 */
export function configCredentials(call: Call): CredentialsFor {
  const header = call.req.headers['x-registry-config'];
  if (typeof header !== 'string' || header === '') return () => undefined;
  if (!/^[\w-]+={0,2}$/.test(header))
    throw badParameter('X-Registry-Config is not in base64 with the letters for URLs');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(header, 'base64url').toString());
  } catch {
    throw badParameter('X-Registry-Config is not JSON in base64');
  }
  if (!isObject(value)) throw badParameter('X-Registry-Config is not a map');
  const hosts = new Map(Object.entries(value).map(([host, one]) => [host, readCredentials(one, false)]));
  return (host) => hosts.get(host.replace(/:443$/, '')) ?? hosts.get(host);
}
