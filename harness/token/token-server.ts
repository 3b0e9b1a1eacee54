import type { Address } from '../target/address.ts';

/** A server of the token endpoint (Document 1, Registry token endpoint), and what the suite may ask it for. */
export interface TokenServer {
  readonly address: Address;
  /** The whole address of the endpoint, for people. */
  readonly url: string;
  /** Path and query of the endpoint on its server. */
  readonly path: string;
  /** The option that named it, for messages. */
  readonly option: '--auth-url' | '--token-url';
  /** The name of the service that tokens are asked for. */
  readonly service: string;
  readonly user?: { readonly name: string; readonly password: string };
  /** One that the user of the suite has from elsewhere. */
  readonly refreshToken?: string;
  /** What the user may do, one `type:name:actions` each; empty when that was not told. */
  readonly scopes: readonly string[];
  /** How tokens come from it; absent until that was found out. */
  readonly access?: TokenAccess;
}

/** How tokens come from a server. */
export interface TokenAccess {
  /** The grant by which the suite asks where a rule leaves the grant open; absent when none gives a token. */
  readonly grant?: 'password' | 'refresh_token';
  /** Where refresh tokens come from; absent when there are none. */
  readonly refreshFrom?: 'password' | 'get' | 'given';
}

/** The client that the suite says it is. */
export const clientId = 'engine-conformance';

/** How tokens come from a server, in words. */
export function accessInWords({ grant, refreshFrom }: TokenAccess): string {
  const words = {
    password: 'refresh tokens come with access_type=offline',
    get: 'refresh tokens come from GET with offline_token=true',
    given: 'the refresh token comes from --auth-refresh-token',
  };
  return [
    grant === undefined ? 'no grant gave a token' : `grant_type=${grant} gave a token`,
    refreshFrom === undefined ? 'no refresh token was given' : words[refreshFrom],
  ].join('; ');
}
