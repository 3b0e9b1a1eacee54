import type { RecordedBytes, RecordedExchange } from '../../harness/events.ts';
import { decodeFrames } from '../../harness/streams/frames.ts';
import { type JsonValue, parseJson } from '../../harness/streams/json.ts';
import { ObjectDecoder } from '../../harness/streams/objects.ts';
import { decodeWebSocketFrames } from '../../harness/streams/websocket.ts';
import { bytesOf } from '../recorded-bytes.ts';

/** The whole body of an answer, or what came on its stream. */
export function received({ answer, stream }: RecordedExchange): Buffer {
  if (stream) {
    return Buffer.concat(stream.filter(({ direction }) => direction === 'received').map((piece) => bytesOf(piece)));
  }
  return answer ? Buffer.from(bytesOf(answer.body)) : Buffer.alloc(0);
}

/** The number of bytes that came, even when fewer were kept. */
export function receivedSize({ answer, stream }: RecordedExchange): number {
  const pieces: readonly RecordedBytes[] = stream?.filter(({ direction }) => direction === 'received') ?? [];
  return stream ? pieces.reduce((sum, { size }) => sum + size, 0) : (answer?.body.size ?? 0);
}

/** Whether more came than was kept. */
export function isCut({ answer, stream }: RecordedExchange): boolean {
  return answer?.body.truncated === true || stream?.some(({ truncated }) => truncated) === true;
}

export interface JsonBody {
  readonly json: JsonValue;
  /** Several documents in a row, as a list. */
  readonly isList: boolean;
}

/** The JSON that came; for a truncated list, its complete items; undefined if it is not JSON. */
export function jsonOf(exchange: RecordedExchange): JsonBody | undefined {
  const bytes = received(exchange);
  const text = bytes.toString('utf8');
  try {
    return { json: parseJson(isCut(exchange) ? wholeItems(text) : text), isList: false };
  } catch {
    return objectsOf(bytes);
  }
}

const stringOrBracket = /"(?:[^"\\]|\\.)*(?:"|$)|[{}[\]]/g;

/** A list up to its last complete object or list; anything else unchanged. */
function wholeItems(text: string): string {
  if (!text.startsWith('[')) return text;
  let depth = 0;
  let end = 1;
  for (const { 0: found, index } of text.matchAll(stringOrBracket)) {
    if (found === '{' || found === '[') depth++;
    if ((found === '}' || found === ']') && --depth === 1) end = index + 1;
  }
  return `${text.slice(0, end)}]`;
}

function objectsOf(bytes: Buffer): JsonBody | undefined {
  try {
    const objects = new ObjectDecoder().push(bytes).map(({ value }) => value);
    return objects.length > 0 ? { json: objects, isList: true } : undefined;
  } catch {
    return undefined;
  }
}

/** The content of an answer's frames, or of the messages of a websocket; unchanged where there are neither. */
export function outputOf(exchange: RecordedExchange, of: 'stdout' | 'stderr' | 'both' = 'both'): Buffer {
  const bytes = received(exchange);
  const isWebSocket = exchange.answer?.headers.some(
    ([name, value]) => name.toLowerCase() === 'upgrade' && value.toLowerCase() === 'websocket',
  );
  try {
    if (!isWebSocket) {
      const frames = decodeFrames(bytes).filter(({ stream }) => of === 'both' || stream === of);
      return Buffer.concat(frames.map(({ payload }) => payload));
    }
    const messages = decodeWebSocketFrames(bytes).filter(({ type }) => /text|binary|continuation/.test(type));
    return Buffer.concat(messages.map(({ payload }) => payload));
  } catch {
    return bytes;
  }
}

interface Span {
  readonly begin: number;
  readonly end: number;
}

/** Every script examines every exchange: parsing the time again and again was most of the scripts' cost. */
const spans = new WeakMap<RecordedExchange, Span>();

/** When an exchange began and ended, in milliseconds. */
export function spanOf(exchange: RecordedExchange): Span {
  const known = spans.get(exchange);
  if (known) return known;
  const begin = Date.parse(exchange.startedAt);
  const span = { begin, end: begin + exchange.durationMs };
  spans.set(exchange, span);
  return span;
}

/** Exchanges are numbered in the order in which they begin; in a merged run by shard first. */
export function numberOf({ id }: Pick<RecordedExchange, 'id'>): number {
  return Number(id.replace(/^.*x/, ''));
}

/** All texts of a request in which something may be named. */
export function requestText({ request }: RecordedExchange): string {
  const { path, headers, body } = request;
  const sent = body.text ?? Buffer.from(body.base64 ?? '', 'base64').toString('latin1');
  return [path, decoded(path), ...headers.map(([, value]) => value), sent].join('\n');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
