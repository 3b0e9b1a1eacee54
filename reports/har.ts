import { STATUS_CODES } from 'node:http';
import type { RecordedBytes, RecordedExchange, RunHandler } from '../harness/events.ts';
import { bytesOf } from './recorded-bytes.ts';
import { type RunRecord, whenEnded } from './run-record.ts';
import { writeAtomically } from './write.ts';

/** A placeholder for an answer that never came, as the format requires one. */
const noAnswer: NonNullable<RecordedExchange['answer']> = {
  status: 0,
  headers: [],
  body: { size: 0, text: '', truncated: false },
};

/** Stands for an unknown size. */
const unknown = -1;

/**
 * Writes every exchange of a run as an HTTP archive (HAR 1.2) when the run ends, for tools that display traffic. It
 * contains what was recorded: no credentials, and only the beginning of large bodies.
 */
export function harReport(file: string): RunHandler {
  return whenEnded((record) => writeAtomically(file, pieces(record)));
}

/** One exchange at a time: all of them may not fit into memory. */
async function* pieces({ started, ended }: RunRecord): AsyncIterable<string> {
  const { tool, target } = started;
  const head = { version: '1.2', creator: tool, comment: `traffic to ${target.address}` };
  yield `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let separator = '\n';
  for await (const exchange of ended.exchanges()) {
    yield separator + JSON.stringify(entryOf(exchange));
    separator = ',\n';
  }
  yield '\n]}}\n';
}

function entryOf(exchange: RecordedExchange) {
  const { id, madeFor, startedAt, durationMs, stream, failure } = exchange;
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    // When the first byte of the answer came was not recorded.
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: `${id}: ${madeFor}`,
    ...(failure !== undefined && { _error: failure }),
    ...(stream && { _stream: stream }),
  };
}

function requestOf({ request, stream }: RecordedExchange) {
  const { method, path, headers, body } = request;
  const url = urlOf(path, header(headers, 'host'));
  return {
    method,
    url: url.href,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    queryString: pairs([...url.searchParams]),
    ...(body.size > 0 && {
      postData: { mimeType: header(headers, 'content-type') ?? '', params: [], ...textOf(body, '_encoding') },
    }),
    headersSize: unknown,
    bodySize: stream ? 0 : body.size,
  };
}

function responseOf({ answer, stream }: RecordedExchange) {
  const { status, headers, body } = answer ?? noAnswer;
  const shown = stream ? received(stream) : body;
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: answer ? 'HTTP/1.1' : 'unknown',
    cookies: [],
    headers: pairs(headers),
    content: { size: shown.size, mimeType: header(headers, 'content-type') ?? '', ...textOf(shown, 'encoding') },
    redirectURL: header(headers, 'location') ?? '',
    headersSize: unknown,
    bodySize: shown.size,
  };
}

/** What came on a hijacked connection, as the body, for tools without streams. */
function received(stream: NonNullable<RecordedExchange['stream']>): RecordedBytes {
  const pieces = stream.filter(({ direction }) => direction === 'received');
  const size = pieces.reduce((sum, piece) => sum + piece.size, 0);
  const truncated = pieces.some((piece) => piece.truncated === true);
  if (pieces.every(({ base64 }) => base64 === undefined))
    return { size, text: pieces.map(({ text = '' }) => text).join(''), truncated };
  return { size, base64: Buffer.concat(pieces.map(bytesOf)).toString('base64'), truncated };
}

/** For requests the encoding is in a member of our own, as the format has none there. */
function textOf({ size, text, base64, truncated }: RecordedBytes, encoding: 'encoding' | '_encoding') {
  const comment = truncated ? { comment: `the beginning of ${size} bytes` } : {};
  return base64 === undefined ? { text: text ?? '', ...comment } : { text: base64, [encoding]: 'base64', ...comment };
}

/** Clients of a unix socket send all kinds of host names. */
function urlOf(path: string, host = 'localhost'): URL {
  const base = URL.canParse(`http://${host}/`) ? `http://${host}` : 'http://localhost';
  return URL.canParse(base + path) ? new URL(base + path) : new URL(base);
}

function header(headers: RecordedExchange['request']['headers'], wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function pairs(list: RecordedExchange['request']['headers']) {
  return list.map(([name, value]) => ({ name, value }));
}
