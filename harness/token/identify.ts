import type { Capability } from '../../specs/capabilities.ts';
import { TargetUnreachable } from '../target/identify.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireRequest } from '../transport/wire.ts';
import { postedForm } from './form.ts';
import { clientId, type TokenServer } from './token-server.ts';

/** A request that any server of the endpoint answers in some way. Without credentials, as it is made again and again. */
export function signOfLife(server: TokenServer): WireRequest {
  return postedForm(server, { grant_type: 'password', service: server.service, client_id: clientId });
}

/**
 * Finds out what a token server cannot be judged by.
 * @throws TargetUnreachable when nothing answers there
 */
export async function tokenLacks(
  transport: Transport,
  server: TokenServer,
  boundMs: number,
): Promise<Partial<Record<Capability, string>>> {
  const { name, password } = server.user ?? {};
  const asked = { grant_type: 'password', service: server.service, client_id: clientId, username: name, password };
  const status = await statusOf(transport, server, postedForm(server, asked), boundMs);
  // With this answer a server says that it gives tokens in another way, which is allowed (interpretation `token-404`).
  if (status === 404) return { 'token-user': `POST ${server.url} answers 404: it gives no tokens this way` };
  if (!server.user)
    return { 'token-user': 'the suite was given no user of the token server; name one with --auth-user' };
  return {};
}

async function statusOf(transport: Transport, { url }: TokenServer, request: WireRequest, wholeMs: number) {
  try {
    return (await transport.exchange(request, { wholeMs })).status;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const message = `${url} gave no answer to POST: ${error.message}`;
    throw new TargetUnreachable(message, '--auth-url and that the token server runs', { cause: error });
  }
}
