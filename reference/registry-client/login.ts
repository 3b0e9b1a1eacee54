import { RegistryClient } from './client.ts';
import type { Credentials } from './credentials.ts';
import { fetchAt } from './exchange.ts';
import { parseChallenge, TokenClient } from './token.ts';

/** The result of a login. */
export interface Login {
  /** A token for later logins; empty when the registry issues none. */
  readonly identityToken: string;
}

/** Tries credentials at a registry. @throws RegistryError when it rejects them */
export async function logIn(host: string, credentials: Credentials, signal: AbortSignal): Promise<Login> {
  const anonymous = new RegistryClient(host, undefined, signal);
  const header = await anonymous.challenge();
  const challenge = parseChallenge(header);
  if (challenge?.scheme === 'bearer') {
    const tokens = new TokenClient(credentials, (url, init) => fetchAt(new URL(url), init, signal));
    return { identityToken: (await tokens.tokens(challenge, true)).refresh };
  }
  await new RegistryClient(host, credentials, signal).send('/v2/', {}, 200);
  return { identityToken: '' };
}
