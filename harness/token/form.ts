import type { WireRequest } from '../transport/wire.ts';
import type { TokenServer } from './token-server.ts';

/** The parameters of a request for a token; undefined ones are left out. */
export type Form = Readonly<Record<string, string | undefined>>;

const mediaType = 'application/x-www-form-urlencoded';

/** A request for a token as it goes on the wire. */
export function postedForm({ path }: TokenServer, form: Form): WireRequest {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) given.set(name, value);
  const body = Buffer.from(given.toString());
  return { method: 'POST', path, headers: { 'content-type': mediaType, accept: 'application/json' }, body };
}

/** The form that a request carries; empty when it carries none. */
export function formOf({ body }: WireRequest): URLSearchParams {
  return new URLSearchParams(body?.toString('utf8') ?? '');
}
