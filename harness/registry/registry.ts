import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Access, type AccessKind, type TokenRequest } from './access.ts';
import { Contents } from './contents.ts';
import { type IndexedImage, type Searched, searched } from './index-of-images.ts';
import { type RepositoryRequest, refuse, repositoryRequest, serveRepository } from './routes.ts';

/** How requests to a registry are changed before they reach it. */
export interface Garbled {
  readonly tokenRequest?: (request: TokenRequest) => TokenRequest;
  /** Changes the Authorization header of a v2 API request; empty for none. */
  readonly authorization?: (authorization: string) => string;
  /** Changes an uploaded blob; undefined discards it. */
  readonly blob?: (bytes: Buffer) => Buffer | undefined;
}

export interface RegistryOptions {
  readonly access?: AccessKind;
  /** The password of its user; default: one of its own. */
  readonly password?: string;
  /** Holds the first request that this selects without an answer until it is released. */
  readonly holds?: (method: string, asked: RepositoryRequest) => boolean;
  /** Answers the requests that this selects with 403. */
  readonly denies?: (method: string, asked: RepositoryRequest) => boolean;
  readonly garbles?: Garbled | undefined;
  /** The images that searches can find. */
  readonly index?: readonly IndexedImage[];
}

/** One v2 API request of a client, whether it was admitted or not. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly admitted: boolean;
  /** It presented what is for the token endpoint alone (Document 1, Registry token endpoint). */
  readonly showedIdentity: boolean;
}

/** How many ports it tries. */
const mostPorts = 4;
/** How long a connection on the same machine may take. */
const reachedMs = 2_000;

/** An image registry in this process, on its own port of the loopback address. */
export class Registry {
  readonly contents = new Contents();
  readonly access: Access;
  readonly seen: SeenRequest[] = [];
  /** The terms that were searched for. */
  readonly searches: string[] = [];
  /** Resolves when a request is held. */
  readonly held: Promise<void>;
  /** Resolves when the client of the held request has gone. */
  readonly abandoned: Promise<void>;
  readonly #server: Server;
  readonly #options: RegistryOptions;
  readonly #released: Promise<void>;
  #release: () => void = () => {};
  #hold: () => void = () => {};
  #abandon: () => void = () => {};
  #holds = false;

  private constructor(options: RegistryOptions) {
    this.#options = options;
    this.access = new Access(options.access ?? 'anonymous', options.password);
    this.held = new Promise((resolve) => {
      this.#hold = resolve;
    });
    this.abandoned = new Promise((resolve) => {
      this.#abandon = resolve;
    });
    this.#released = new Promise((resolve) => {
      this.#release = resolve;
    });
    // It ends no idle connection: the daemon may just be sending a request on it, and would take it for a refusal.
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** @throws when no port is available */
  static async start(options: RegistryOptions = {}): Promise<Registry> {
    for (let left = mostPorts - 1; ; left--) {
      const registry = new Registry(options);
      registry.#server.listen(0, '127.0.0.1');
      await once(registry.#server, 'listening');
      if (left === 0 || (await registry.#isReached())) return registry;
      await registry.close();
    }
  }

  /** Whether its port leads to it: the host may hand on the port that a container publishes without listening at it. */
  async #isReached(): Promise<boolean> {
    const socket = connect(Number(this.host.split(':')[1]), '127.0.0.1');
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(reachedMs) });
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }

  /** `127.0.0.1:port`, the prefix of the names of its repositories. */
  get host(): string {
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the registry does not listen');
    return `127.0.0.1:${address.port}`;
  }

  /** Answers the held request. */
  release(): void {
    this.#release();
  }

  async close(): Promise<void> {
    this.#release();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', `http://${this.host}`);
    const { garbles = {} } = this.#options;
    const { method = '', headers } = request;
    const { authorization = '', 'content-type': contentType = '' } = headers;
    if (pathname === '/token') {
      const asked = method === 'POST' ? new URLSearchParams(await text(request)) : query;
      const sent = { method, contentType, authorization, asked };
      return this.access.giveToken(garbles.tokenRequest?.(sent) ?? sent, response);
    }
    const found = searched(pathname, query, this.#options.index ?? []);
    if (found) return this.#answerSearch(found, response);
    const shown = garbles.authorization?.(authorization) ?? authorization;
    const admitted = this.access.admits(shown);
    this.seen.push({ method, path: pathname, admitted, showedIdentity: this.access.hasIdentity(shown) });
    const asked = repositoryRequest(pathname);
    if (!admitted) return this.#challenge(request, response, asked);
    if (pathname === '/v2/') {
      response.writeHead(200, { 'Docker-Distribution-Api-Version': 'registry/2.0', 'Content-Length': 0 }).end();
      return;
    }
    if (!asked) return refuse(response, 404, 'NOT_FOUND');
    if (this.#options.denies?.(method, asked)) return this.#deny(request, response);
    if (!this.#holds && this.#options.holds?.(method, asked)) await this.#keep(response);
    if (response.destroyed) return;
    await serveRepository({ contents: this.contents, request, response, query, kept: garbles.blob }, asked);
  }

  #answerSearch({ term, answer }: Searched, response: ServerResponse): void {
    if (term !== undefined) this.searches.push(term);
    const body = Buffer.from(JSON.stringify(answer));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
  }

  #deny(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    refuse(response, 403, 'DENIED');
  }

  #challenge(request: IncomingMessage, response: ServerResponse, asked: RepositoryRequest | undefined): void {
    request.resume();
    const actions = request.method === 'GET' || request.method === 'HEAD' ? 'pull' : 'pull,push';
    const scope = asked && `repository:${asked.repository}:${actions}`;
    const challenge = this.access.challenge(this.host, scope);
    const headers = { 'WWW-Authenticate': challenge, 'Docker-Distribution-Api-Version': 'registry/2.0' };
    refuse(response, 401, 'UNAUTHORIZED', headers);
  }

  async #keep(response: ServerResponse): Promise<void> {
    this.#holds = true;
    response.once('close', () => this.#abandon());
    this.#hold();
    await this.#released;
  }
}
