import { Exchange } from '../engine/exchange.ts';
import { pathWithQuery, type Query } from '../engine/query.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Redactor } from '../recording/redact.ts';
import { namedDialect } from '../target/dialect.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireRequest } from '../transport/wire.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { type Form, postedForm } from './form.ts';
import type { TokenServer } from './token-server.ts';

/** A token server as one check sees it, with every exchange recorded without the secrets in it. */
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

  /** Asks for a token with a form. @throws TransportError when no whole answer comes */
  post(form: Form): Promise<Exchange> {
    return this.#send(postedForm(this.server, form));
  }

  /** @throws TransportError when no whole answer comes */
  get(query: Query): Promise<Exchange> {
    return this.#send({ method: 'GET', path: pathWithQuery(this.server.path, query), headers: {} });
  }

  async #send(request: WireRequest): Promise<Exchange> {
    const record = this.#recorder.begin(request);
    try {
      const answer = await this.#transport.exchange(request, { wholeMs: this.#boundMs });
      // Before anything of the answer is kept.
      this.#redactor.learn(answer.body.toString('utf8'));
      record.finish({ answer });
      const redact = (text: string) => this.#redactor.text(text);
      return new Exchange(record.id, request, answer, namedDialect('engine'), redact);
    } catch (error) {
      record.finish({ failure: error instanceof Error ? error.message : String(error) });
      if (error instanceof TransportError) currentJudgement().judged([record.id]);
      throw error;
    }
  }
}
