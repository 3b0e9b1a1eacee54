import type { RequestInit, Response } from 'undici';
import { isObject } from '../http/fields.ts';
import type { Credentials } from './credentials.ts';
import { RegistryError } from './exchange.ts';

/** What a registry asks for in `WWW-Authenticate`. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The tokens of one exchange with a token endpoint. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

const clientId = 'engine-conformance-reference';

/** Reads `Bearer realm="…",service="…",scope="…"`; undefined when it is not a challenge. */
export function parseChallenge(header: string): Challenge | undefined {
  const [, scheme, rest = ''] = /^\s*(\w+)\s*(.*)$/.exec(header) ?? [];
  if (scheme === undefined) return undefined;
  const found = rest.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g);
  const parameters = [...found].map(
    ([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare ?? ''] as const,
  );
  return { scheme: scheme.toLowerCase(), parameters: new Map(parameters) };
}

/** Gets tokens for a registry (Document 1, Registry token endpoint). */
export class TokenClient {
  readonly #credentials: Credentials | undefined;
  readonly #send: (url: string, init: RequestInit) => Promise<Response>;

  /** @param send sends a request without the registry's own Authorization header */
  constructor(credentials: Credentials | undefined, send: (url: string, init: RequestInit) => Promise<Response>) {
    this.#credentials = credentials;
    this.#send = send;
  }

  /** The Authorization header that a challenge asks for; empty without credentials or token. */
  async authorization(challenge: Challenge): Promise<string> {
    if (challenge.scheme === 'bearer') return `Bearer ${(await this.tokens(challenge, false)).access}`;
    return challenge.scheme === 'basic' && this.#credentials ? basic(this.#credentials) : '';
  }

  /**
   * Gets an access token, and a refresh token if wanted: by POST with credentials, and by GET without them or when POST
   * is answered with 404.
   * @throws RegistryError when there is no token
   */
  async tokens({ parameters }: Challenge, isOffline: boolean): Promise<Tokens> {
    const realm = parameters.get('realm') ?? '';
    const service = parameters.get('service') ?? '';
    // The scopes of a challenge are separated by spaces, like a scope list.
    const scope = parameters.get('scope') ?? '';
    if (!URL.canParse(realm)) throw new RegistryError(0, 'the registry names no token endpoint');
    if (this.#credentials) {
      const posted = await this.#post(realm, { service, scope, isOffline }, this.#credentials);
      if (posted.status !== 404) return readTokens(posted);
      await posted.body?.cancel();
    }
    return readTokens(await this.#get(realm, { service, scope, isOffline }));
  }

  #post(realm: string, { service, scope, isOffline }: Asked, credentials: Credentials): Promise<Response> {
    const { username, password, identityToken } = credentials;
    const form = new URLSearchParams({ service, client_id: clientId });
    if (scope !== '') form.set('scope', scope);
    if (isOffline) form.set('access_type', 'offline');
    const secret: Record<string, string> =
      identityToken === ''
        ? { grant_type: 'password', username, password }
        : { grant_type: 'refresh_token', refresh_token: identityToken };
    for (const [name, value] of Object.entries(secret)) form.set(name, value);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return this.#send(realm, { method: 'POST', headers, body: form.toString() });
  }

  #get(realm: string, { service, scope, isOffline }: Asked): Promise<Response> {
    const url = new URL(realm);
    if (service !== '') url.searchParams.set('service', service);
    for (const one of scope.split(' ').filter(Boolean)) url.searchParams.append('scope', one);
    if (isOffline) url.searchParams.set('offline_token', 'true');
    url.searchParams.set('client_id', clientId);
    const withUser = this.#credentials && this.#credentials.username !== '' ? this.#credentials : undefined;
    if (withUser) url.searchParams.set('account', withUser.username);
    return this.#send(url.href, { headers: withUser ? { Authorization: basic(withUser) } : {} });
  }
}

interface Asked {
  readonly service: string;
  readonly scope: string;
  readonly isOffline: boolean;
}

function basic({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

async function readTokens(answer: Response): Promise<Tokens> {
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.status !== 200 || !isObject(body)) {
    throw new RegistryError(answer.status === 200 ? 0 : 401, `the token endpoint answered ${answer.status}`);
  }
  const access = body.access_token ?? body.token;
  if (typeof access !== 'string') throw new RegistryError(0, 'the token endpoint gave no token');
  return { access, refresh: typeof body.refresh_token === 'string' ? body.refresh_token : '' };
}
