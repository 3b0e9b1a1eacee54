import { randomInt } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basicOf, formIn, type Listening, listen, sendJson, sendText } from './listen.ts';
import type { ResourceActions, Signer } from './signer.ts';

/**
 * A description of the token server in `contrib/token-server` of docker's distribution, from its sources:
 *
 * - It is at `/token/`, with the slash, and answers 404 elsewhere.
 * - Release 2.5 takes the password grant. From 2.6 on its users are in a file that the grant cannot ask, and it is refused
 *   with 400; users get refresh tokens by GET with `offline_token=true`.
 * - A missing `grant_type`, `service` or `client_id` is refused with 400, as is an unknown `grant_type` or `access_type`.
 *   An unknown refresh token, or one for another service, is refused with 401. Any service gets tokens.
 * - A user may do everything in repositories below `user/`, and from 2.6 on with `registry:catalog`.
 * - The granted scope is one `type:name:action` for each action, with commas between, in the order of a Go map, which is
 *   another each time. Where nothing is granted there is no `scope`.
 * - The answer to a refresh token has a refresh token whatever `access_type` is; with `offline` it is a new one.
 * - Tokens are good for 900 seconds.
 */
export interface DistributionOptions {
  readonly release: '2.5.2' | '2.6.2' | '2.8.3';
  readonly users: readonly { readonly name: string; readonly password: string }[];
  readonly signer: Signer;
}

const goodForSeconds = 900;
const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

const errors = {
  badOption: [400, 'BAD_TOKEN_OPTION', 'bad token option'],
  missing: [400, 'MISSING_REQUIRED_FIELD', 'missing required field'],
  unsupported: [400, 'UNSUPPORTED_VALUE', 'unsupported value'],
  unauthorized: [401, 'UNAUTHORIZED', 'authentication required'],
} as const;

class Refusal extends Error {
  readonly kind: keyof typeof errors;

  constructor(kind: keyof typeof errors, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** One action on one resource. */
interface Access {
  readonly type: string;
  readonly name: string;
  readonly action: string;
}

/** @returns what is at `url`; the endpoint is at `/token/` below it */
export function startDistribution(options: DistributionOptions): Promise<Listening> {
  const server = new Distribution(options);
  return listen((request, body, response) => server.answer(request, body, response));
}

class Distribution {
  readonly #options: DistributionOptions;
  readonly #refreshTokens = new Map<string, { readonly subject: string; readonly service: string }>();

  constructor(options: DistributionOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname !== '/token/') return sendText(response, 404, '404 page not found');
    try {
      if (request.method === 'GET') return sendJson(response, 200, await this.#get(request, url.searchParams));
      if (request.method === 'POST') return sendJson(response, 200, await this.#post(formIn(request, body)));
      return sendText(response, 404, '404 page not found');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const [status, code, message] = errors[error.kind];
      const challenge = request.method === 'GET' && status === 401 && { 'www-authenticate': 'Basic realm="tokens"' };
      sendJson(response, status, { errors: [{ code, message, detail: error.message }] }, { ...challenge });
    }
  }

  async #get(request: IncomingMessage, query: URLSearchParams): Promise<object> {
    const offline = query.get('offline_token') ?? '';
    if (!['', '1', 't', 'true', 'TRUE', 'True', '0', 'f', 'false', 'FALSE', 'False'].includes(offline)) {
      throw new Refusal('badOption', 'invalid syntax');
    }
    const basic = basicOf(request);
    if (!basic || !this.#knows(basic.name, basic.password)) throw new Refusal('unauthorized', 'authentication failure');
    const service = query.get('service') ?? '';
    const granted = this.#grantable(basic.name, query.getAll('scope'));
    return {
      access_token: await this.#sign(basic.name, service, granted),
      ...(/^[1tT]/.test(offline) && { refresh_token: this.#newRefreshToken(basic.name, service) }),
      expires_in: goodForSeconds,
    };
  }

  async #post(form: URLSearchParams): Promise<object> {
    const [grantType, service] = ['grant_type', 'service', 'client_id'].map((name) => {
      const value = form.get(name);
      if (!value) throw new Refusal('missing', `missing ${name} value`);
      return value;
    });
    const accessType = form.get('access_type') ?? '';
    if (!['', 'online', 'offline'].includes(accessType)) throw new Refusal('unsupported', 'unknown access_type value');
    const { subject, refreshToken: shown } = this.#subject(grantType ?? '', service ?? '', form);
    const granted = this.#grantable(subject, (form.get('scope') ?? '').split(' '));
    const scope = granted.map(({ type, name, action }) => `${type}:${name}:${action}`).join(',');
    const refreshToken = accessType === 'offline' ? this.#newRefreshToken(subject, service ?? '') : shown;
    return {
      access_token: await this.#sign(subject, service ?? '', granted),
      ...(scope !== '' && { scope }),
      expires_in: goodForSeconds,
      issued_at: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    };
  }

  #subject(grantType: string, service: string, form: URLSearchParams): { subject: string; refreshToken?: string } {
    if (grantType === 'refresh_token') {
      const refreshToken = form.get('refresh_token');
      if (!refreshToken) throw new Refusal('unsupported', 'missing refresh_token value');
      const held = this.#refreshTokens.get(refreshToken);
      if (held?.service !== service) throw new Refusal('unauthorized', 'invalid refresh token');
      return { subject: held.subject, refreshToken };
    }
    if (grantType !== 'password') throw new Refusal('unsupported', 'unknown grant_type value');
    if (this.#options.release !== '2.5.2') throw new Refusal('unsupported', 'password grant type not supported');
    const [subject, password] = [form.get('username'), form.get('password')];
    if (!subject) throw new Refusal('unsupported', 'missing username value');
    if (!password) throw new Refusal('unsupported', 'missing password value');
    if (!this.#knows(subject, password)) throw new Refusal('unauthorized', 'invalid credentials');
    return { subject };
  }

  #knows(name: string, password: string): boolean {
    return this.#options.users.some((user) => user.name === name && user.password === password);
  }

  #newRefreshToken(subject: string, service: string): string {
    const token = Array.from({ length: 15 }, () => letters[randomInt(letters.length)]).join('');
    this.#refreshTokens.set(token, { subject, service });
    return token;
  }

  /** What of the scopes a user may have, in no order. What is no scope is passed over. */
  #grantable(user: string, scopes: readonly string[]): Access[] {
    const asked = new Map<string, Access>();
    for (const scope of scopes) {
      const [, type, name, actions] = /^([^:]*):([^:]*):(.*)$/s.exec(scope) ?? [];
      if (type === undefined || name === undefined || actions === undefined) continue;
      for (const action of actions.split(',')) asked.set(JSON.stringify([type, name, action]), { type, name, action });
    }
    const granted = [...asked.values()].filter(({ type, name }) => {
      if (type === 'registry') return this.#options.release !== '2.5.2' && name === 'catalog';
      return type === 'repository' && name.startsWith(`${user}/`);
    });
    return granted
      .map((one) => [randomInt(2 ** 32), one] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, one]) => one);
  }

  #sign(subject: string, service: string, granted: readonly Access[]): Promise<string> {
    const byResource = new Map<string, ResourceActions>();
    for (const { type, name, action } of granted) {
      const actions = byResource.get(`${type}:${name}`)?.actions ?? [];
      byResource.set(`${type}:${name}`, { type, name, actions: [...actions, action] });
    }
    return this.#options.signer.sign({ subject, service, access: [...byResource.values()], seconds: goodForSeconds });
  }
}
