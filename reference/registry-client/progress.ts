import type { Call } from '../http/call.ts';

/** Receives the progress of a pull or push. */
export interface ProgressListener {
  status(status: string, id?: string): void;
  bytes(status: string, id: string, current: number, total: number): void;
}

/** The stream in which a pull or push reports (Document 1, Progress and error stream objects). */
export class Progress implements ProgressListener {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Sends one status line; the first also sends the head of the answer. */
  status(status: string, id?: string): void {
    this.#write({ status, ...(id !== undefined && { id }) });
  }

  /** Reports how many bytes of a layer have been transferred. */
  bytes(status: string, id: string, current: number, total: number): void {
    const done = Math.floor((50 * current) / Math.max(total, 1));
    const progress = `[${'='.repeat(done)}>${' '.repeat(50 - done)}] ${current} B/${total} B`;
    this.#write({ status, progressDetail: { current, total }, progress, id });
  }

  /** Ends the stream with an error. */
  fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#write({ errorDetail: { message }, error: message });
    this.end();
  }

  end(): void {
    this.#call.res.end();
  }

  #write(object: object): void {
    const { res } = this.#call;
    if (res.destroyed) return;
    if (!res.headersSent) res.writeHead(200, { 'Content-Type': 'application/json' });
    res.write(`${JSON.stringify(object)}\r\n`);
  }
}

/** A signal that aborts when the client has gone: since 1.23 that ends a pull or push. */
export function goneSignal(call: Call): AbortSignal {
  const controller = new AbortController();
  if (call.since('1.23')) call.onGone(() => controller.abort());
  return controller.signal;
}
