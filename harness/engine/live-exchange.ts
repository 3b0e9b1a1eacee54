import type { RecordInProgress } from '../recording/recorder.ts';
import { decodeFrames, type Frame, FrameViolation } from '../streams/frames.ts';
import { holdsText } from '../streams/text.ts';
import type { Dialect } from '../target/dialect.ts';
import { afterBound } from '../transport/after-bound.ts';
import { asTransportError, TransportError } from '../transport/errors.ts';
import type { Patience, Wait } from '../transport/patience.ts';
import type { LiveAnswer, WireRequest } from '../transport/wire.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Deviation } from '../verdict/outcomes.ts';
import { type Answered, Exchange, headerIn } from './exchange.ts';

/** The most a check reads of one stream; a longer stream counts as endless. */
const largestStream = 64 * 1024 * 1024;

/** An exchange with an ongoing answer: a hijacked connection or a streamed body. */
export class LiveExchange implements Answered {
  readonly id: string;
  readonly request: WireRequest;
  readonly status: number;
  readonly upgraded: boolean;
  readonly #live: LiveAnswer;
  readonly #record: RecordInProgress;
  readonly #dialect: Dialect;
  readonly #boundMs: number;
  readonly #patience: Patience;
  readonly #waiters = new Set<() => void>();
  #waking: NodeJS.Immediate | undefined;
  /** What has come, in a buffer with spare room, so that it is not concatenated at every look. */
  #bytes = Buffer.alloc(0);
  #size = 0;
  #ended = false;
  #failure: TransportError | undefined;

  constructor(
    request: WireRequest,
    live: LiveAnswer,
    context: { record: RecordInProgress; dialect: Dialect; boundMs: number; patience: Patience },
  ) {
    this.id = context.record.id;
    this.request = request;
    this.status = live.status;
    this.upgraded = live.upgraded;
    this.#live = live;
    this.#record = context.record;
    this.#dialect = context.dialect;
    this.#boundMs = context.boundMs;
    this.#patience = context.patience;
    live.incoming.on('data', (chunk: Buffer) => this.#received(chunk));
    live.incoming.once('end', () => this.#finish());
    live.incoming.once('close', () => this.#finish());
    live.incoming.once('error', (error) => this.#finish(asTransportError(error)));
    live.outgoing.on('error', () => {});
  }

  header(name: string): string | undefined {
    return headerIn(this.#dialect, this.#live, name);
  }

  /** Sends bytes to the daemon, as stdin. */
  write(data: string | Uint8Array): void {
    const bytes = Buffer.from(data);
    this.#record.streamed('sent', bytes);
    this.#live.outgoing.write(bytes);
  }

  /** Closes the client's half of the connection; the answer is still read. */
  endInput(): void {
    this.#live.outgoing.end();
  }

  /** Drops the connection. */
  drop(): void {
    this.#live.destroy();
    this.#finish();
  }

  /** Stops reading, so that output backs up in the daemon's own buffers; `readOn` resumes. */
  stopReading(): void {
    this.#live.incoming.pause();
  }

  readOn(): void {
    this.#live.incoming.resume();
  }

  /** What has come so far. */
  get received(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Waits until the daemon ends the stream and returns all its bytes.
   * @throws TransportError when it does not end within the bound, or breaks
   */
  async rest(): Promise<Buffer> {
    await this.#until(() => this.#ended, 'the end of the stream');
    if (this.#failure) throw this.#judged(this.#failure);
    return this.received;
  }

  /** The whole exchange, once the daemon ends the stream. @throws TransportError as `rest` does */
  async whole(): Promise<Exchange> {
    const { status, headers } = this.#live;
    return new Exchange(this.id, this.request, { status, headers, body: await this.rest() }, this.#dialect);
  }

  /**
   * Waits until the received bytes satisfy a condition.
   * @param what what is waited for, in words
   * @throws TransportError when the stream ends or the bound runs out first
   */
  async receivedUntil(what: string, satisfied: (bytes: Buffer) => boolean): Promise<Buffer> {
    await this.#until(() => this.#ended || satisfied(this.received), what);
    if (!satisfied(this.received)) {
      const early = new TransportError('closed', `the stream ended before ${what}; ${this.#soFar()}`);
      throw this.#judged(this.#failure ?? early);
    }
    return this.received;
  }

  /** Whether the daemon ends the stream within a time. @throws TransportError as `satisfiesWithin` does */
  endsWithin(boundMs: number): Promise<boolean> {
    return this.satisfiesWithin(boundMs, () => this.#ended);
  }

  /**
   * Whether the received bytes satisfy a condition, now or within a time.
   * @throws TransportError when nothing has come, and the time was cut as nothing ever did
   */
  async satisfiesWithin(boundMs: number, satisfied: (bytes: Buffer) => boolean): Promise<boolean> {
    const wait = this.#patience.wait(this.request, 'stream', boundMs);
    const late = await this.#lateFor(wait, () => this.#ended || satisfied(this.received));
    // What comes, but is not what was waited for, is judged by the caller.
    if (late && this.#size === 0) {
      wait.timedOut();
      if (late.why !== '') throw this.#tooLate(late, 'what was to come');
    }
    return satisfied(this.received);
  }

  /** Waits until anything has come, or the stream has ended, or a time is over. Silence is not held against the daemon. */
  async stirs(boundMs: number): Promise<void> {
    await this.#comesWithin(
      () => boundMs,
      () => this.#ended || this.#size > 0,
    );
  }

  /** Waits for output that contains a text, framed or not. */
  receivedText(text: string): Promise<Buffer> {
    return this.receivedUntil(JSON.stringify(text), (bytes) => holdsText(bytes, text));
  }

  /**
   * The whole stream as frames (Document 2, Stream framing).
   * @throws Deviation at the first byte that is not framing
   */
  async frames(): Promise<Frame[]> {
    const bytes = await this.rest();
    currentJudgement().judged([this.id]);
    return framesOf(bytes);
  }

  async #until(done: () => boolean, what: string): Promise<void> {
    const wait = this.#patience.wait(this.request, 'stream', this.#boundMs);
    const late = await this.#lateFor(wait, done);
    if (!late) return;
    wait.timedOut();
    throw this.#tooLate(late, what);
  }

  /** How long was waited, and why no longer, if it did not come in time. */
  async #lateFor(wait: Wait, done: () => boolean): Promise<Pick<Wait, 'boundMs' | 'why'> | undefined> {
    const ignore = wait.onCut(() => this.#wake());
    const comes = () => this.#comesWithin(() => wait.boundMs, done);
    const isDone = await this.#patience.during(wait, comes).finally(ignore);
    if (!isDone) return { boundMs: wait.boundMs, why: wait.why };
    // A stream that merely ended has delivered nothing.
    if (this.#size > 0) wait.came({ status: this.status, size: this.#size });
    return undefined;
  }

  #tooLate({ boundMs, why }: Pick<Wait, 'boundMs' | 'why'>, what: string): TransportError {
    const late = `waited ${boundMs} ms${why && ` (${why})`} for ${what}; ${this.#soFar()}`;
    return this.#judged(new TransportError('timeout', late));
  }

  async #comesWithin(bound: () => number, done: () => boolean): Promise<boolean> {
    let begunAt = Date.now();
    while (!done()) {
      const left = begunAt + bound() - Date.now();
      if (left <= 0) return false;
      await this.#change(left, (byMs) => {
        begunAt += byMs;
      });
    }
    return true;
  }

  /** A broken stream is evidence for what the check says about it. */
  #judged(failure: TransportError): TransportError {
    currentJudgement().judged([this.id]);
    return failure;
  }

  #change(boundMs: number, longer: (byMs: number) => void): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        endBound();
        this.#waiters.delete(wake);
        resolve();
      };
      const endBound = afterBound(boundMs, wake, longer);
      this.#waiters.add(wake);
    });
  }

  #soFar(): string {
    const tail = this.received.subarray(-80).toString('latin1');
    return `${this.#size} bytes had come${this.#size > 0 ? `, ending in ${JSON.stringify(tail)}` : ''}`;
  }

  #received(chunk: Buffer): void {
    this.#record.streamed('received', chunk);
    this.#append(chunk);
    if (this.#size > largestStream) {
      this.#live.destroy();
      this.#finish(new TransportError('too-large', `the stream is longer than ${largestStream} bytes`));
    }
    this.#wake();
  }

  /** Bytes that were handed out are never moved. */
  #append(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#bytes.length));
      this.received.copy(larger);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#size);
    this.#size = size;
  }

  #finish(failure?: TransportError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#record.finish(failure ? { failure: failure.message } : {});
    this.#wake();
  }

  /** Once for all pieces of one turn of the event loop: a look at everything after each takes quadratic time. */
  #wake(): void {
    this.#waking ??= setImmediate(() => {
      this.#waking = undefined;
      for (const wake of [...this.#waiters]) wake();
    });
  }
}

/** Bytes as frames. @throws Deviation at the first byte that is not framing */
export function framesOf(bytes: Uint8Array): Frame[] {
  try {
    return decodeFrames(bytes);
  } catch (error) {
    if (error instanceof FrameViolation) throw new Deviation('frames of an 8-byte header and a payload', error.message);
    throw error;
  }
}
