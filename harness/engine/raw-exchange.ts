import type { Duplex } from 'node:stream';
import { afterBound } from '../transport/after-bound.ts';
import { headerOf, type WireAnswer, type WireRequest } from '../transport/wire.ts';
import type { Answered } from './exchange.ts';

export interface RawOptions {
  /** The method that the bytes resemble most, for the record. */
  readonly method: string;
  /** Without the version prefix. */
  readonly path: string;
  /** What the client does once the bytes are sent: wait, close its half, or drop the connection. */
  readonly after: 'waits' | 'half-closes' | 'drops';
  /** How long to wait for an answer, in milliseconds. */
  readonly waitMs: number;
}

/** The result of sending bytes that no client should send. */
export class RawExchange implements Answered {
  readonly id: string;
  readonly request: WireRequest;
  /** 0 when there was no answer. */
  readonly status: number;
  /** The result, in words. */
  readonly outcome: string;
  readonly #answer: WireAnswer | undefined;

  constructor(id: string, request: WireRequest, answer: WireAnswer | undefined, ended: string) {
    this.id = id;
    this.request = request;
    this.status = answer?.status ?? 0;
    this.outcome = answer ? `answers ${answer.status}` : ended;
    this.#answer = answer;
  }

  header(name: string): string | undefined {
    return this.#answer && headerOf(this.#answer.headers, name);
  }
}

/** The most that is read of an answer. */
const readBytes = 64 * 1024;

/** Writes bytes to a connection and returns the beginning of the answer, if one comes. */
export function sendRaw(
  connection: Duplex,
  bytes: Buffer,
  { after, waitMs }: RawOptions,
): Promise<{ answer?: WireAnswer; ended: string }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = (ended: string) => {
      endBound();
      connection.destroy();
      const answer = answerIn(Buffer.concat(chunks));
      resolve(answer ? { answer, ended } : { ended: chunks.length > 0 ? 'answers something other than HTTP' : ended });
    };
    const endBound = afterBound(waitMs, () => end('waits for more'));
    connection.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      const come = Buffer.concat(chunks);
      if (come.includes('\r\n\r\n') || come.length > readBytes) end('answers');
    });
    connection.once('end', () => end('closes the connection'));
    connection.once('close', () => end('closes the connection'));
    connection.on('error', () => {});
    connection.write(bytes, () => {
      if (after === 'drops') end('is left alone');
      else if (after === 'half-closes') connection.end();
    });
  });
}

/** The received part of an answer; undefined when the bytes do not begin like one. */
function answerIn(bytes: Buffer): WireAnswer | undefined {
  const text = bytes.toString('latin1');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
  if (status === undefined) return undefined;
  const at = text.indexOf('\r\n\r\n');
  const lines = (at < 0 ? text : text.slice(0, at)).split('\r\n').slice(1);
  const headers = lines.flatMap((line) => {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return { status: Number(status), headers, body: at < 0 ? Buffer.alloc(0) : bytes.subarray(at + 4) };
}
