import type { Address } from '../target/address.ts';

/** A server of the token endpoint (Document 1, Registry token endpoint), and what the suite may request from it. */
export interface TokenServer {
  readonly address: Address;
  /** The whole address of the endpoint, for people. */
  readonly url: string;
  /** Path and query of the endpoint on its server. */
  readonly path: string;
  /** The option that named it, for messages. */
  readonly option: '--auth-url' | '--token-url';
  /** The service to request tokens for. */
  readonly service: string;
  readonly user?: { readonly name: string; readonly password: string };
  /** A refresh token supplied by the user of the suite. */
  readonly refreshToken?: string;
  /** What the user may do, one `type:name:actions` each; empty if unknown. */
  readonly scopes: readonly string[];
  /** How it issues tokens; absent until that was found out. */
  readonly access?: TokenAccess;
}

/** How a server issues tokens. */
export interface TokenAccess {
  /** The grant that the suite uses where a rule leaves it open; absent when none yields a token. */
  readonly grant?: 'password' | 'refresh_token';
  /** Where refresh tokens come from; absent when there are none. */
  readonly refreshFrom?: 'password' | 'get' | 'given';
}

/** The client name that the suite uses. */
export const clientId = 'engine-conformance';

/** How a server issues tokens, in words. */
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
