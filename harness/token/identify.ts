import type { Capability } from '../../specs/capabilities.ts';
import type { Redactor } from '../recording/redact.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireAnswer, WireRequest } from '../transport/wire.ts';
import { isUnavailable, textIn } from './answer.ts';
import { offlineByGet, passwordForm, postedForm, refreshForm } from './form.ts';
import { type MessageContext, misplaced, notThere, refused, unreached } from './set-up.ts';
import { clientId, type TokenAccess, type TokenServer } from './token-server.ts';

/** A request that any server of the endpoint answers in some way. Without credentials, as it is repeated often. */
export function signOfLife(server: TokenServer): WireRequest {
  return postedForm(server, { grant_type: 'password', service: server.service, client_id: clientId });
}

/** What was found out about a token server before its rules are judged. */
export interface FoundTokenServer {
  readonly server: TokenServer;
  /** What keeps some of its rules from being judged. */
  readonly lacks: Readonly<Partial<Record<Capability, string>>>;
}

/**
 * Finds out how a server issues tokens: by which grant, and where refresh tokens come from.
 * @param redactor removes from messages what the server repeats
 * @throws TargetUnreachable when nothing answers there, or the server is busy
 * @throws SetUpWrong when it is not a token endpoint, or gives the user no token in any way
 */
export async function findTokenServer(
  transport: Transport,
  server: TokenServer,
  redactor: Redactor,
  boundMs: number,
): Promise<FoundTokenServer> {
  return new Finder(transport, { server, redactor }, boundMs).find();
}

class Finder {
  readonly #transport: Transport;
  readonly #told: MessageContext;
  readonly #boundMs: number;

  constructor(transport: Transport, told: MessageContext, boundMs: number) {
    this.#transport = transport;
    this.#told = told;
    this.#boundMs = boundMs;
  }

  async find(): Promise<FoundTokenServer> {
    const { server } = this.#told;
    const first = server.user ? await this.#post(passwordForm(server)) : await this.#post(this.#withoutUser());
    if (first.status === 404) {
      const other = await this.#send(offlineByGet(server));
      if (other.status === 404) throw notThere(this.#told);
      // With this answer a server says that it issues tokens in another way, which is allowed (interpretation
      // `token-404`).
      return { server, lacks: { 'token-user': `POST ${server.url} answers 404: it gives no tokens to POST` } };
    }
    const problem = await misplaced(this.#told, 'POST', first);
    if (problem) throw problem;
    const access = server.user ? await this.#asUser(first) : await this.#withGiven(first);
    if (access) return { server: { ...server, access }, lacks: {} };
    const lack = 'the suite was given no user of the token server; name one with --auth-user';
    return { server, lacks: { 'token-user': lack } };
  }

  /** The form of a client that has nothing except, perhaps, a refresh token. */
  #withoutUser() {
    const { server } = this.#told;
    return server.refreshToken === undefined ? passwordForm(server) : refreshForm(server, server.refreshToken);
  }

  async #withGiven(first: WireAnswer): Promise<TokenAccess | undefined> {
    if (this.#told.server.refreshToken === undefined) return undefined;
    if (!succeeds(first)) throw refused(this.#told, first, 'refresh_token');
    return { grant: 'refresh_token', refreshFrom: 'given' };
  }

  async #asUser(first: WireAnswer): Promise<TokenAccess> {
    const { server } = this.#told;
    if (succeeds(first)) {
      const refreshFrom = await this.#refreshTokens();
      return { grant: 'password', ...(refreshFrom && { refreshFrom }) };
    }
    // Whether the user is refused, or this grant: a user who gets a token by GET is valid.
    const byGet = await this.#send(offlineByGet(server));
    const isGet = succeeds(byGet) && (textIn(byGet, 'token') ?? textIn(byGet, 'access_token')) !== undefined;
    const noGet = byGet.status === 404 || byGet.status === 405;
    const token = server.refreshToken ?? (isGet ? textIn(byGet, 'refresh_token') : undefined);
    if (!isGet && !(noGet && server.refreshToken !== undefined)) throw refused(this.#told, first, 'password', byGet);
    if (token === undefined) return {};
    const refreshFrom = server.refreshToken === undefined ? 'get' : 'given';
    const again = await this.#post(refreshForm(server, token));
    if (succeeds(again)) return { grant: 'refresh_token', refreshFrom };
    if (refreshFrom === 'given') throw refused(this.#told, again, 'refresh_token');
    return { refreshFrom };
  }

  /** Where refresh tokens come from on a server that accepts the password grant. */
  async #refreshTokens(): Promise<TokenAccess['refreshFrom']> {
    const { server } = this.#told;
    const offline = await this.#post(passwordForm(server, { access_type: 'offline' }));
    if (textIn(offline, 'refresh_token') !== undefined) return 'password';
    if (server.refreshToken !== undefined) return 'given';
    const byGet = await this.#send(offlineByGet(server));
    return succeeds(byGet) && textIn(byGet, 'refresh_token') !== undefined ? 'get' : undefined;
  }

  #post(form: ReturnType<typeof passwordForm>): Promise<WireAnswer> {
    return this.#send(postedForm(this.#told.server, form));
  }

  async #send(request: WireRequest): Promise<WireAnswer> {
    const { method } = request;
    const answer = await this.#transport.exchange(request, { wholeMs: this.#boundMs }).catch(async (error: unknown) => {
      throw error instanceof TransportError ? await unreached(this.#told, method, error) : error;
    });
    const problem = isUnavailable(answer.status) ? await misplaced(this.#told, method, answer) : undefined;
    if (problem) throw problem;
    return answer;
  }
}

function succeeds({ status }: WireAnswer): boolean {
  return status >= 200 && status < 300;
}
