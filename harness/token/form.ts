import { pathWithQuery } from '../engine/query.ts';
import type { WireRequest } from '../transport/wire.ts';
import { clientId, type TokenServer } from './token-server.ts';

/** The parameters of a request for a token; undefined ones are omitted. */
export type Form = Readonly<Record<string, string | undefined>>;

const mediaType = 'application/x-www-form-urlencoded';

/** A request for a token as it goes on the wire. */
export function postedForm(server: TokenServer, form: Form): WireRequest {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) given.set(name, value);
  return posted(server, mediaType, given.toString());
}

/** The same parameters as JSON, which the endpoint is not documented to accept. */
export function postedJson(server: TokenServer, form: Form): WireRequest {
  return posted(server, 'application/json', JSON.stringify(form));
}

function posted({ path }: TokenServer, type: string, body: string): WireRequest {
  const headers = { 'content-type': type, accept: 'application/json' };
  return { method: 'POST', path, headers, body: Buffer.from(body) };
}

/** The form of the user, or of somebody without a name if there is no user. */
export function passwordForm({ service, user }: TokenServer, changes: Form = {}): Form {
  const { name: username, password } = user ?? {};
  return { grant_type: 'password', service, client_id: clientId, username, password, ...changes };
}

/** The form of a client that has a refresh token. */
export function refreshForm({ service }: TokenServer, refreshToken: string, changes: Form = {}): Form {
  return { grant_type: 'refresh_token', service, client_id: clientId, refresh_token: refreshToken, ...changes };
}

/**
 * The GET request that token servers have traditionally accepted: the user by basic authentication, and `offline_token`
 * for a refresh token. The documents do not have it, so nothing is judged by it.
 */
export function offlineByGet({ path, service, user }: TokenServer, changes: Form = {}): WireRequest {
  const query = { service, client_id: clientId, offline_token: 'true', ...changes };
  const credentials = user && Buffer.from(`${user.name}:${user.password}`).toString('base64');
  const headers = { accept: 'application/json', ...(credentials && { authorization: `Basic ${credentials}` }) };
  // The URL of the endpoint may have a query of its own.
  const [place = path, own] = path.split('?');
  const asked = pathWithQuery(place, query);
  return { method: 'GET', path: own === undefined ? asked : asked.replace('?', `?${own}&`), headers };
}

/** The form in a request; empty when there is none. */
export function formOf({ body }: WireRequest): URLSearchParams {
  return new URLSearchParams(body?.toString('utf8') ?? '');
}
