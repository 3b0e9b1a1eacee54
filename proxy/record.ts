import type { RecordedBytes, RecordedExchange } from '../harness/events.ts';
import { recordBytes } from '../harness/recording/bytes.ts';
import { type CurlRequest, curlLine } from '../harness/recording/curl.ts';
import type { Redactor } from '../harness/recording/redact.ts';
import { recordStream, type StreamedPiece } from '../harness/recording/stream.ts';
import type { Address } from '../harness/target/address.ts';
import type { WireHead } from '../harness/transport/wire.ts';
import type { BodyBeginning } from './observe/body-beginning.ts';
import type { RequestHead } from './observe/observed.ts';

/** Everything that is kept of an exchange that passed. */
export interface PassedExchange {
  readonly id: string;
  /** Who made it, in words. */
  readonly madeFor: string;
  readonly startedAt: number;
  readonly request: RequestHead;
  readonly sent: BodyBeginning;
  readonly answer: WireHead | undefined;
  readonly received: BodyBeginning;
  /** Absent unless the connection became a stream. */
  readonly stream: readonly StreamedPiece[] | undefined;
  readonly failure: string | undefined;
}

/** The record of an exchange for the reports, without credentials. */
export function recordPassed(passed: PassedExchange, upstream: Address, redactor: Redactor): RecordedExchange {
  const { id, madeFor, startedAt, request, sent, answer, received, stream, failure } = passed;
  const headers = redactor.headers(request.headers);
  const path = redactor.text(request.target);
  const body = recordBytes(sent.bytes, redactor, sent.size);
  return {
    id,
    madeFor,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    request: { method: request.method, path, headers, body },
    ...(answer && {
      answer: {
        status: answer.status,
        headers: redactor.headers(answer.headers),
        body: recordBytes(received.bytes, redactor, received.size),
      },
    }),
    ...(stream && { stream: recordStream(stream, redactor) }),
    ...(failure !== undefined && { failure }),
    curl: curlLine(upstream, {
      method: request.method,
      path,
      headers,
      ...(sent.size > 0 && bodyOf(body, sent.isWhole)),
    }),
  };
}

function bodyOf(
  { text, base64, size }: RecordedBytes,
  isWhole: boolean,
): Pick<CurlRequest, 'body' | 'base64' | 'missing'> {
  if (!isWhole) return { missing: `the ${size} bytes of the body, of which only a part was kept` };
  return text === undefined ? { base64: base64 ?? '' } : { body: text };
}
