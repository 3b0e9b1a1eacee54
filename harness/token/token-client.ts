import { Exchange } from '../engine/exchange.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Redactor } from '../recording/redact.ts';
import { engineDialect } from '../target/dialect.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireRequest } from '../transport/wire.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Blocked } from '../verdict/outcomes.ts';
import { isUnavailable } from './answer.ts';
import { type Form, offlineByGet, postedForm, postedJson } from './form.ts';
import type { TokenServer } from './token-server.ts';

/** A token server as one check sees it, with every exchange recorded without its secrets. */
export class TokenClient {
  readonly server: TokenServer;
  readonly #transport: Transport;
  readonly #recorder: Recorder;
  readonly #redactor: Redactor;
  readonly #boundMs: number;

  constructor(options: {
    server: TokenServer;
    transport: Transport;
    recorder: Recorder;
    redactor: Redactor;
    boundMs: number;
  }) {
    this.server = options.server;
    this.#transport = options.transport;
    this.#recorder = options.recorder;
    this.#redactor = options.redactor;
    this.#boundMs = options.boundMs;
  }

  /**
   * Requests a token with a form.
   * @throws TransportError when no complete answer comes
   * @throws Blocked when the server is busy, which says nothing about the request
   */
  post(form: Form): Promise<Exchange> {
    return this.#send(postedForm(this.server, form));
  }

  /** The same with JSON parameters. */
  postJson(form: Form): Promise<Exchange> {
    return this.#send(postedJson(this.server, form));
  }

  /** Requests a token and a refresh token by GET. @throws as `post` does */
  get(changes: Form = {}): Promise<Exchange> {
    return this.#send(offlineByGet(this.server, changes));
  }

  /** Makes a GET request as somebody unknown to the server. @throws as `post` does */
  getUnknown(): Promise<Exchange> {
    const { user: _, ...server } = this.server;
    return this.#send(offlineByGet(server, { offline_token: undefined }));
  }

  async #send(request: WireRequest): Promise<Exchange> {
    const record = this.#recorder.begin(request);
    try {
      const answer = await this.#transport.exchange(request, { wholeMs: this.#boundMs });
      // Before anything of the answer is kept.
      this.#redactor.learn(answer.body.toString('utf8'));
      record.finish({ answer });
      if (isUnavailable(answer.status)) {
        currentJudgement().judged([record.id]);
        throw new Blocked(`the token server has no time now: it answers ${answer.status}`);
      }
      const redact = (text: string) => this.#redactor.text(text);
      return new Exchange(record.id, request, answer, engineDialect, redact);
    } catch (error) {
      if (error instanceof Blocked) throw error;
      record.finish({ failure: error instanceof Error ? error.message : String(error) });
      if (error instanceof TransportError) currentJudgement().judged([record.id]);
      throw error;
    }
  }
}
