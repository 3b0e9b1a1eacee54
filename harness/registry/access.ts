import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/**
 * How a registry admits clients. `bearer-get` is `bearer` with a token endpoint that answers POST with 404;
 * `bearer-scopes` asks for a second scope in its challenge.
 */
export type AccessKind = 'anonymous' | 'basic' | 'bearer' | 'bearer-get' | 'bearer-scopes';

/** The only user of a registry. */
export interface User {
  readonly username: string;
  readonly password: string;
  /** What the user may present at the token endpoint instead of a password. */
  readonly identityToken: string;
}

/** One request for a token. */
export interface TokenRequest {
  readonly method: string;
  readonly contentType: string;
  readonly authorization: string;
  /** The parameters: the form of a POST, the query of a GET. */
  readonly asked: URLSearchParams;
}

/** What a client calls itself at a token endpoint (RFC 6749, Appendix A.1). */
export const clientId = /^[\x20-\x7e]+$/;

const tokenSeconds = 300;

/** What a form has to encode: a client that only joins names and values shows another secret. */
const inFormsEncoded = '+&=%3d';

/** Access to a registry: who is admitted, and the token endpoint (Document 1, Registry token endpoint). */
export class Access {
  readonly kind: AccessKind;
  readonly user: User;
  readonly service = 'engine-conformance';
  readonly tokenRequests: TokenRequest[] = [];
  /** Issued tokens, with the requested scope of each. */
  readonly #tokens = new Map<string, string>();

  constructor(kind: AccessKind, password?: string) {
    this.kind = kind;
    const random = () => randomBytes(12).toString('hex');
    this.user = {
      username: `user-${random()}`,
      password: password ?? `word-${random()}${inFormsEncoded}`,
      identityToken: `identity-${random()}${inFormsEncoded}`,
    };
  }

  /** The forms that were posted to the token endpoint. */
  get forms(): TokenRequest[] {
    return this.tokenRequests.filter(({ method }) => method === 'POST');
  }

  /** Whether a request with this Authorization header, empty for none, is admitted. */
  admits(authorization: string): boolean {
    if (this.kind === 'anonymous') return true;
    if (this.kind === 'basic') return this.#isUser(authorization);
    const [scheme, token = ''] = authorization.split(' ');
    return scheme?.toLowerCase() === 'bearer' && this.#tokens.has(token);
  }

  /** Whether an Authorization header, in whatever scheme, contains the identity token. */
  hasIdentity(authorization: string): boolean {
    const [, value = ''] = authorization.split(' ');
    const { identityToken } = this.user;
    return value.includes(identityToken) || Buffer.from(value, 'base64').toString().includes(identityToken);
  }

  /** The `WWW-Authenticate` header for a request that is not admitted. */
  challenge(host: string, scope: string | undefined): string {
    if (this.kind === 'basic') return 'Basic realm="engine-conformance"';
    const second = this.kind === 'bearer-scopes' ? ` repository:second:pull` : '';
    const scoped = scope === undefined ? '' : `,scope="${scope}${second}"`;
    return `Bearer realm="http://${host}/token",service="${this.service}"${scoped}`;
  }

  /** Serves the token endpoint. */
  giveToken(request: TokenRequest, response: ServerResponse): void {
    const { method, authorization, asked } = request;
    const isPost = method === 'POST';
    this.tokenRequests.push(request);
    if (isPost && this.kind === 'bearer-get') {
      answer(response, 404, { errors: [{ code: 'UNSUPPORTED' }] });
      return;
    }
    const isKnown = isPost ? this.#showsSecret(asked) : this.#isUser(authorization);
    if (!isKnown) {
      answer(response, 401, { errors: [{ code: 'UNAUTHORIZED', message: 'unknown user' }] });
      return;
    }
    const token = randomBytes(16).toString('hex');
    const scope = asked.getAll('scope').join(' ');
    this.#tokens.set(token, scope);
    const isOffline = asked.get('offline_token') === 'true' || asked.get('access_type') === 'offline';
    answer(response, 200, {
      access_token: token,
      token,
      scope,
      expires_in: tokenSeconds,
      issued_at: new Date().toISOString(),
      ...(isOffline && { refresh_token: this.user.identityToken }),
    });
  }

  #isUser(authorization: string): boolean {
    const [scheme, value = ''] = authorization.split(' ');
    const { username, password } = this.user;
    return scheme?.toLowerCase() === 'basic' && Buffer.from(value, 'base64').toString() === `${username}:${password}`;
  }

  #showsSecret(form: URLSearchParams): boolean {
    const { username, password, identityToken } = this.user;
    if (form.get('grant_type') === 'refresh_token') return form.get('refresh_token') === identityToken;
    return form.get('username') === username && form.get('password') === password;
  }
}

function answer(response: ServerResponse, status: number, json: object): void {
  const body = Buffer.from(JSON.stringify(json));
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
}
