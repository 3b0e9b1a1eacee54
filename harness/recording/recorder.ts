import type { HeaderList, RecordedBytes, RecordedExchange } from '../events.ts';
import type { Address } from '../target/address.ts';
import type { WireHead, WireRequest } from '../transport/wire.ts';
import { keptBytes, recordBytes } from './bytes.ts';
import { type CurlRequest, curlLine, rawLine } from './curl.ts';
import type { Redactor } from './redact.ts';
import { recordStream, StreamRecorder } from './stream.ts';

/** A finished exchange. Most are not evidence, so its record is made only on demand. */
export interface FinishedExchange {
  readonly id: string;
  readonly request: WireRequest;
  /** Absent when no head came. */
  readonly status: number | undefined;
  readonly record: () => RecordedExchange;
}

/** Receives finished exchanges. */
type ExchangeSink = (exchange: FinishedExchange) => void;

export interface RecorderOptions {
  readonly address: Address;
  readonly redactor: Redactor;
  readonly nextId: () => string;
  readonly sink: ExchangeSink;
}

/** Keeps the exchanges of one check or shared fixture. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #madeFor: string;
  readonly #open = new Set<RecordInProgress>();

  constructor(madeFor: string, options: RecorderOptions) {
    this.#madeFor = madeFor;
    this.#options = options;
  }

  begin(request: WireRequest): RecordInProgress {
    const record = new RecordInProgress(this.#options, this.#madeFor, request, () => this.#open.delete(record));
    this.#open.add(record);
    return record;
  }

  /** Ends the records of streams that are still open. */
  finish(): void {
    for (const record of [...this.#open]) record.finish();
  }
}

type Draft<T> = { -readonly [Name in keyof T]: T[Name] };

/** One exchange in progress. */
export class RecordInProgress {
  readonly id: string;
  readonly #options: RecorderOptions;
  readonly #madeFor: string;
  readonly #request: WireRequest;
  readonly #onFinish: () => void;
  #startedAt = Date.now();
  readonly #stream = new StreamRecorder();
  #head: WireHead | undefined;
  #body: Uint8Array = new Uint8Array();
  #bodySize = 0;
  #durationMs = 0;
  #live = false;
  #failure: string | undefined;
  #isFinished = false;

  constructor(options: RecorderOptions, madeFor: string, request: WireRequest, onFinish: () => void) {
    this.id = options.nextId();
    this.#options = options;
    this.#madeFor = madeFor;
    this.#request = request;
    this.#onFinish = onFinish;
  }

  /** The request had to wait, and is sent now. */
  sent(): void {
    this.#startedAt = Date.now();
  }

  /** The head of a live answer has come; `streamed` records what follows. */
  live(head: WireHead): void {
    this.#head = head;
    this.#live = true;
  }

  streamed(direction: 'sent' | 'received', bytes: Uint8Array): void {
    this.#stream.add(direction, Date.now() - this.#startedAt, bytes);
  }

  /**
   * Ends the record with the whole answer, with a failure, or (for a live one) as it is. Only the first call counts:
   * the connection of a stream may close after its scope has ended.
   */
  finish(end: { answer?: WireHead & { body: Uint8Array }; failure?: string } = {}): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (end.answer) {
      this.#head = end.answer;
      this.#bodySize = end.answer.body.length;
      this.#body = atMostKept(end.answer.body);
    }
    this.#failure = end.failure;
    this.#durationMs = Date.now() - this.#startedAt;
    const [request, status] = [this.#request, this.#head?.status];
    this.#options.sink({ id: this.id, request, status, record: () => this.#record() });
    this.#onFinish();
  }

  #record(): RecordedExchange {
    const { redactor, address } = this.#options;
    const { method, path, body, cuts, isRaw } = this.#request;
    const coding = cuts ? [['transfer-encoding', 'chunked'] as const] : [];
    const headers: HeaderList = redactor.headers([...Object.entries(this.#request.headers), ...coding]);
    const cleanPath = redactor.text(path);
    const sent = recordBytes(body ?? new Uint8Array(), redactor);
    // What it may lack is put in afterwards: thousands of records are made in a run, and spreading takes time.
    const record: Draft<RecordedExchange> = {
      id: this.id,
      madeFor: this.#madeFor,
      startedAt: new Date(this.#startedAt).toISOString(),
      durationMs: this.#durationMs,
      request: { method, path: cleanPath, headers, body: sent },
      curl: isRaw
        ? rawLine(address, redactor.bytes(body ?? new Uint8Array()))
        : curlLine(address, { method, path: cleanPath, headers, ...curlBody(sent) }),
    };
    if (this.#head) {
      record.answer = {
        status: this.#head.status,
        headers: redactor.headers(this.#head.headers),
        body: recordBytes(this.#body, redactor, this.#bodySize),
      };
    }
    if (this.#live) record.stream = recordStream(this.#stream.pieces, redactor);
    if (this.#failure !== undefined) record.failure = this.#failure;
    return record;
  }
}

/** A copy of what is kept of a large body, so that the rest can be freed. */
function atMostKept(body: Uint8Array): Uint8Array {
  return body.length > keptBytes ? Buffer.from(body.subarray(0, keptBytes)) : body;
}

function curlBody({ size, text, base64, truncated }: RecordedBytes): Pick<CurlRequest, 'body' | 'base64' | 'missing'> {
  if (size === 0) return {};
  if (truncated) return { missing: `the ${size} bytes of the body, of which only the beginning was kept` };
  return base64 === undefined ? { body: text ?? '' } : { base64 };
}
