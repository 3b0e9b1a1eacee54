import type { ApiVersion } from '../../specs/versions.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { ResourceKind } from '../sandbox/journal.ts';
import type { MadeThing } from '../sandbox/ownership.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { mayBeAbsent } from '../serving/absence.ts';
import type { Target } from '../target/target.ts';
import { TransportError } from '../transport/errors.ts';
import { type Awaited, Patience } from '../transport/patience.ts';
import type { Transport, WireAnswer, WireRequest } from '../transport/wire.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Blocked, NotApplicable } from '../verdict/outcomes.ts';
import { Exchange } from './exchange.ts';
import { LiveExchange } from './live-exchange.ts';
import { pathWithQuery, type Query } from './query.ts';
import { RawExchange, type RawOptions, sendRaw } from './raw-exchange.ts';

export interface RequestOptions {
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with Content-Type application/json. */
  readonly json?: unknown;
  /** Sent as it is; set the Content-Type in `headers`. */
  readonly body?: Uint8Array | string;
  /** Where to cut the body into chunks (`WireRequest.cuts`). */
  readonly cuts?: readonly number[];
  /** What the operation itself takes, such as the wait of a stop: the bound of the exchange is as much longer than usual. */
  readonly takesMs?: number;
  /** Bound of the exchange instead of the usual one, for what may well not come. */
  readonly boundMs?: number;
  /** Sent instead of the engine's own version prefix; '' for none. */
  readonly prefix?: string;
}

export interface OpenOptions extends RequestOptions {
  /** Whether to send `Upgrade` and `Connection: Upgrade`, and for what; true stands for `tcp`. */
  readonly upgrade?: boolean | 'websocket';
  /** Drops the connection until the head has come; afterwards the live exchange does that. */
  readonly signal?: AbortSignal;
}

/** Why a daemon does not serve the endpoint of a request; undefined when it does. The path has its version prefix. */
export type WhyNotServed = (method: string, path: string) => Promise<string | undefined>;

/** A daemon as one check sees it: at one API version, with every exchange recorded. */
export class Engine {
  readonly api: ApiVersion;
  readonly target: Target;
  readonly sandbox: Sandbox;
  readonly #transport: Transport;
  readonly #recorder: Recorder;
  readonly #boundMs: number;
  readonly #patience: Patience;
  readonly #whyNotServed: WhyNotServed;
  readonly #live: LiveExchange[] = [];
  /** What drops requests with an ongoing answer whose head has not come. */
  readonly #opening = new Set<AbortController>();
  readonly #unused: string[] = [];
  readonly #made: MadeThing[] = [];

  constructor(options: {
    api: ApiVersion;
    target: Target;
    sandbox: Sandbox;
    transport: Transport;
    recorder: Recorder;
    boundMs: number;
    /** What is known about waiting for the daemon. Default: nothing. */
    patience?: Patience | undefined;
    /** Default: every endpoint counts as served. */
    whyNotServed?: WhyNotServed | undefined;
  }) {
    this.api = options.api;
    this.target = options.target;
    this.sandbox = options.sandbox;
    this.#transport = options.transport;
    this.#recorder = options.recorder;
    this.#boundMs = options.boundMs;
    this.#patience = options.patience ?? new Patience();
    this.#whyNotServed = options.whyNotServed ?? (async () => undefined);
  }

  get(path: string, query?: Query): Promise<Exchange> {
    return this.request('GET', path, query ? { query } : {});
  }

  post(path: string, options: RequestOptions = {}): Promise<Exchange> {
    return this.request('POST', path, options);
  }

  delete(path: string, query?: Query): Promise<Exchange> {
    return this.request('DELETE', path, query ? { query } : {});
  }

  /**
   * Makes one request and reads its whole answer.
   * @param path without the version prefix; segments that may contain special characters must be encoded
   * @throws TransportError when no whole answer comes
   * @throws NotApplicable when the daemon does not serve the endpoint
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Exchange> {
    const request = this.#wireRequest(method, path, options);
    const record = this.#recorder.begin(request);
    let answer: WireAnswer;
    try {
      answer = await this.#patient(request, 'answer', this.#boundOf(options), (wholeMs) =>
        this.#transport.exchange(request, { wholeMs, onTurn: () => record.sent() }),
      );
      record.finish({ answer });
    } catch (error) {
      throw this.#failed(record, error);
    }
    await this.#isServed(request, answer.status);
    return new Exchange(record.id, request, answer, this.target.dialect);
  }

  /** Makes one request with an ongoing answer; resolves when its head has come. Closed when the check ends. */
  async open(method: string, path: string, options: OpenOptions = {}): Promise<LiveExchange> {
    const request = this.#wireRequest(method, path, options);
    const upgrade = options.upgrade === true ? 'tcp' : options.upgrade || undefined;
    // The transport adds the headers for an upgrade; the record must show them.
    const asking = upgrade && { connection: 'upgrade', upgrade };
    const record = this.#recorder.begin({ ...request, headers: { ...request.headers, ...asking } });
    const boundMs = this.#boundOf(options);
    let live: LiveExchange;
    try {
      const answer = await this.#untilClosed(options.signal, (signal) =>
        this.#patient(request, 'head', boundMs, (wholeMs) =>
          this.#transport.open(request, { wholeMs, upgrade, signal, onTurn: () => record.sent() }),
        ),
      );
      record.live(answer);
      live = new LiveExchange(request, answer, {
        record,
        dialect: this.target.dialect,
        boundMs,
        patience: this.#patience,
      });
      this.#live.push(live);
    } catch (error) {
      throw this.#failed(record, error);
    }
    await this.#isServed(request, live.status);
    return live;
  }

  /** Whether the daemon serves an endpoint, as far as that can be told. */
  async serves(method: string, path: string): Promise<boolean> {
    return (await this.#whyNotServed(method, `/v${this.api}${path}`)) === undefined;
  }

  /**
   * Sends bytes unchanged on a connection of its own, and drops it once the answer begins, the daemon closes it, or the
   * wait is over.
   * @throws TransportError when there is no connection
   */
  async raw(bytes: Buffer, options: RawOptions): Promise<RawExchange> {
    const path = `/v${this.api}${options.path}`;
    const request: WireRequest = { method: options.method, path, headers: {}, body: bytes, isRaw: true };
    const record = this.#recorder.begin(request);
    try {
      const { answer, ended } = await sendRaw(await this.#transport.connect(), bytes, options);
      record.finish(answer ? { answer } : { failure: ended });
      return new RawExchange(record.id, request, answer, ended);
    } catch (error) {
      throw this.#failed(record, error);
    }
  }

  /** A new name for a thing that this check is about to make; it is removed when the check ends. */
  name(kind: ResourceKind): string {
    const name = this.sandbox.name(kind);
    this.#made.push({ kind, name });
    return name;
  }

  /** A new name that nothing gets: for what the daemon must not find, or as a text that occurs nowhere else. */
  unusedName(kind: ResourceKind): string {
    const name = this.sandbox.unusedName(kind);
    this.#unused.push(name);
    return name;
  }

  /** The daemon made a thing, or is about to; its identifier finds it again when its name changes. */
  made(made: MadeThing): void {
    if (made.id !== undefined && made.id !== made.name) this.sandbox.made(made.name, made.id);
    // So that `clean` finds it, too.
    if (made.isNew) this.sandbox.noteNew(made.kind, made.name);
    const named = this.#made.findIndex(({ kind, name }) => kind === made.kind && name === made.name);
    if (named >= 0) this.#made[named] = made;
    else this.#made.push(made);
  }

  /**
   * What this check has made or tried to make, the newest first. The whole name of an image, with its tag, stands for the
   * name of this check in it.
   */
  get leftovers(): readonly MadeThing[] {
    const images = this.#made.filter(({ kind }) => kind === 'image');
    const isInOther = (one: MadeThing) => images.some((other) => other !== one && isPartOf(one.name, other));
    return this.#made.filter((one) => !(isBare(one) && isInOther(one))).toReversed();
  }

  /** All names of this check, also those that nothing gets. */
  get names(): readonly string[] {
    return [...this.#made.map(({ name }) => name), ...this.#unused];
  }

  /**
   * What this check made is removed; the journal tells so.
   * @param kept what the daemon did not remove
   */
  removed(kept: readonly MadeThing[]): void {
    const isKept = ({ kind, name }: MadeThing) => kept.some((made) => made.kind === kind && isPartOf(name, made));
    this.sandbox.gone(this.#made.filter((one) => !isKept(one)));
  }

  /** Drops the streams that a check left open, or whose heads it no longer waits for. */
  close(): void {
    for (const opening of this.#opening) opening.abort();
    for (const live of this.#live) live.drop();
  }

  /** @param dropped what drops the same connection earlier */
  async #untilClosed<T>(dropped: AbortSignal | undefined, opens: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const closed = new AbortController();
    this.#opening.add(closed);
    try {
      return await opens(dropped ? AbortSignal.any([dropped, closed.signal]) : closed.signal);
    } finally {
      this.#opening.delete(closed);
    }
  }

  #boundOf({ boundMs, takesMs = 0 }: RequestOptions): number {
    return boundMs ?? this.#boundMs + takesMs;
  }

  /** Waits for an answer for the given time, or less where earlier waits at that endpoint were in vain. */
  async #patient<T extends { readonly status: number; readonly body?: Uint8Array }>(
    request: WireRequest,
    awaited: Awaited,
    boundMs: number,
    send: (wholeMs: number) => Promise<T>,
  ): Promise<T> {
    const wait = this.#patience.wait(request, awaited, boundMs);
    const { boundMs: wholeMs, why, isOfHang } = wait;
    try {
      const answer = await this.#patience.during(wait, () => send(wholeMs));
      wait.came({ status: answer.status, size: answer.body?.length ?? 0 });
      return answer;
    } catch (error) {
      if (!(error instanceof TransportError) || error.failure !== 'timeout') throw error;
      wait.timedOut();
      if (isOfHang) throw new Blocked(`${error.message}, ${why}`, { cause: error });
      throw why === '' ? error : new TransportError('timeout', `${error.message}, ${why}`, { cause: error });
    }
  }

  /** @throws NotApplicable, or Blocked when the daemon refuses because it lacks the probe image */
  async #isServed(request: WireRequest, status: number): Promise<void> {
    const missing = status < 400 ? undefined : this.sandbox.imageMissedBy(request);
    if (missing) throw missing.isServed ? new Blocked(missing.reason) : new NotApplicable(missing.reason);
    if (!mayBeAbsent(status)) return;
    const { method, path } = request;
    const why = await this.#whyNotServed(method, path);
    if (why !== undefined) throw new NotApplicable(why);
  }

  #failed(record: { id: string; finish(end: { failure: string }): void }, error: unknown): unknown {
    record.finish({ failure: error instanceof Error ? error.message : String(error) });
    if (error instanceof TransportError) currentJudgement().judged([record.id]);
    return error;
  }

  #wireRequest(method: string, path: string, options: RequestOptions): WireRequest {
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    return {
      method,
      path: (options.prefix ?? `/v${this.api}`) + pathWithQuery(path, options.query),
      headers: { ...(options.json !== undefined && { 'content-type': 'application/json' }), ...options.headers },
      ...(body !== undefined && { body: Buffer.from(body) }),
      ...(options.cuts && { cuts: options.cuts }),
    };
  }
}

/** Whether it is an image with nothing but a name of the sandbox. */
function isBare({ kind, name, id }: MadeThing): boolean {
  return kind === 'image' && id === undefined && !/[:/@]/.test(name);
}

function isPartOf(name: string, whole: MadeThing): boolean {
  return whole.name.includes(name);
}
