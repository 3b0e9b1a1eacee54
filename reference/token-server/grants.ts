import { createHash, timingSafeEqual } from 'node:crypto';
import { type AccessTokens, goodForSeconds } from './access-tokens.ts';
import { type Form, required } from './form.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import { type Access, grantable, readScope, writeScope } from './scope.ts';
import { TokenError } from './token-error.ts';

/** Who may get tokens, and for what. */
export interface TokenUser {
  readonly name: string;
  readonly password: string;
  /** What the user may do, in the form of a scope parameter. */
  readonly scope: string;
}

/** The answer with a token (Document 1, Registry token endpoint). */
interface TokenAnswer {
  readonly access_token: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly issued_at: string;
  readonly refresh_token?: string;
}

export interface Issuing {
  readonly users: readonly TokenUser[];
  /** The only service that tokens are issued for; default: any. */
  readonly service?: string;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
}

/** Issues the token that a form requests. @throws TokenError when it must not be issued */
export async function grant(form: Form, issuing: Issuing): Promise<TokenAnswer> {
  const grantType = required(form, 'grant_type');
  const service = required(form, 'service');
  if (issuing.service !== undefined && service !== issuing.service) {
    throw new TokenError(400, 'invalid_request', 'no tokens are given for this service');
  }
  requireClient(form);
  const offline = isOffline(form);
  const asked = readScope(form.get('scope') ?? '');
  if (grantType === 'password') {
    const user = authenticated(form, issuing);
    const refreshToken = offline ? issuing.refreshTokens.issue({ user: user.name, service }) : undefined;
    return answer(user, service, asked, refreshToken, issuing);
  }
  if (grantType === 'refresh_token') {
    const refreshToken = required(form, 'refresh_token');
    const user = holder(refreshToken, service, issuing);
    return answer(user, service, asked, offline ? refreshToken : undefined, issuing);
  }
  throw new TokenError(400, 'unsupported_grant_type', 'grant_type has to be password or refresh_token');
}

/** A client need not be known, but its name has the syntax of RFC 6749, Appendix A.1. */
function requireClient(form: Form): void {
  if (!/^[\x20-\x7e]+$/.test(required(form, 'client_id'))) {
    throw new TokenError(400, 'invalid_request', 'client_id has characters other than printable ASCII');
  }
}

function isOffline(form: Form): boolean {
  const access = form.get('access_type') ?? 'online';
  if (access !== 'online' && access !== 'offline') {
    throw new TokenError(400, 'invalid_request', 'access_type has to be online or offline');
  }
  return access === 'offline';
}

function authenticated(form: Form, { users }: Issuing): TokenUser {
  const name = required(form, 'username');
  const password = required(form, 'password');
  const user = users.find((one) => one.name === name);
  if (!user || !isSame(user.password, password)) {
    throw new TokenError(401, 'invalid_grant', 'the username or password is wrong');
  }
  return user;
}

/** Takes the same time wherever the texts differ. */
function isSame(a: string, b: string): boolean {
  const [digestA, digestB] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return digestA !== undefined && digestB !== undefined && timingSafeEqual(digestA, digestB);
}

function holder(refreshToken: string, service: string, { refreshTokens, users }: Issuing): TokenUser {
  const held = refreshTokens.holderOf(refreshToken);
  const user = held?.service === service ? users.find(({ name }) => name === held.user) : undefined;
  if (!user) throw new TokenError(400, 'invalid_grant', 'the refresh token is not good for this service');
  return user;
}

async function answer(
  user: TokenUser,
  service: string,
  asked: readonly Access[],
  refreshToken: string | undefined,
  { accessTokens }: Issuing,
): Promise<TokenAnswer> {
  const granted = grantable(asked, readScope(user.scope));
  const now = new Date();
  return {
    access_token: await accessTokens.issue(user.name, service, granted, now),
    scope: writeScope(granted),
    expires_in: goodForSeconds,
    issued_at: now.toISOString(),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  };
}
