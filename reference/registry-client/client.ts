import type { RequestInit, Response } from 'undici';
import { isObject } from '../http/fields.ts';
import type { Credentials } from './credentials.ts';
import { fetchAt, RegistryError } from './exchange.ts';
import { parseChallenge, TokenClient } from './token.ts';

/** A client of one registry (v2 API) that presents credentials when asked. */
export class RegistryClient {
  readonly #origin: string;
  readonly #credentials: Credentials | undefined;
  readonly #signal: AbortSignal;
  #authorization = '';

  /**
   * @param host name and port; registries on loopback addresses are accessed without TLS
   * @param signal ends every exchange when it is aborted
   */
  constructor(host: string, credentials: Credentials | undefined, signal: AbortSignal) {
    const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(host);
    this.#origin = `${isLocal ? 'http' : 'https'}://${host}`;
    this.#credentials = credentials;
    this.#signal = signal;
  }

  /**
   * Sends a request, and sends it again with an Authorization header when the registry asks for one.
   * @param path below the origin, or the address in a Location header of the registry
   * @returns the answer with one of the statuses
   * @throws RegistryError when the registry cannot be reached or answers another status
   */
  async send(path: string, init: RequestInit, ...statuses: readonly number[]): Promise<Response> {
    let answer = await this.#exchange(path, init);
    const challenge = answer.status === 401 ? parseChallenge(answer.headers.get('www-authenticate') ?? '') : undefined;
    if (challenge) {
      await answer.body?.cancel();
      const send = (url: string, request: RequestInit) => fetchAt(new URL(url), request, this.#signal);
      const tokens = new TokenClient(this.#credentials, send);
      this.#authorization = await tokens.authorization(challenge);
      if (this.#authorization !== '') answer = await this.#exchange(path, init);
    }
    if (statuses.includes(answer.status)) return answer;
    throw new RegistryError(answer.status, `the registry answered ${answer.status}${await errorIn(answer)}`);
  }

  /** The `WWW-Authenticate` header of the registry; empty when it needs no credentials. */
  async challenge(): Promise<string> {
    const answer = await this.#exchange('/v2/', {});
    await answer.body?.cancel();
    if (answer.status !== 200 && answer.status !== 401) {
      throw new RegistryError(answer.status, `the registry answered ${answer.status}`);
    }
    return answer.headers.get('www-authenticate') ?? '';
  }

  /** The JSON of a successful answer. @throws RegistryError */
  async json(path: string, accept: string): Promise<unknown> {
    const answer = await this.send(path, { headers: { Accept: accept } }, 200);
    try {
      return await answer.json();
    } catch (error) {
      throw new RegistryError(answer.status, `the registry sent no JSON: ${String(error)}`);
    }
  }

  async #exchange(path: string, init: RequestInit): Promise<Response> {
    const url = new URL(path, this.#origin);
    // Credentials for this registry must not be sent to another host.
    const isOwn = url.origin === this.#origin && this.#authorization !== '';
    const headers = { ...plain(init.headers), ...(isOwn && { Authorization: this.#authorization }) };
    return fetchAt(url, { ...init, headers }, this.#signal);
  }
}

function plain(headers: RequestInit['headers']): Record<string, string> {
  if (!isObject(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function errorIn(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined);
  const [first]: unknown[] = isObject(body) && Array.isArray(body.errors) ? body.errors : [];
  return isObject(first) && typeof first.message === 'string' ? `: ${first.message}` : '';
}
