import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiVersion } from '../../specs/versions.ts';
import { atLeast, isDocumented } from '../../specs/versions.ts';
import type { Words } from '../../specs/words.ts';
import type { Engine } from '../engine.ts';
import { badParameter } from '../errors.ts';
import { readBody, readJson } from './body.ts';
import { Duct } from './duct.ts';
import { Line, withoutUpgrade } from './line.ts';
import type { Query } from './query.ts';
import { acceptWebSocket, checkHandshake } from './web-socket.ts';

/** What node hands over when a request asks for an upgrade. */
export interface Upgraded {
  readonly line: Line;
  /** What the client sent after the head: the body first, if the request has one. */
  head: Buffer;
}

/** One request on its way through the engine, and the ways to answer it. */
export class Call {
  readonly engine: Engine;
  readonly api: ApiVersion;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Query;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly #upgraded: Upgraded | undefined;

  constructor(parts: {
    engine: Engine;
    api: ApiVersion;
    params: Readonly<Record<string, string | undefined>>;
    query: Query;
    req: IncomingMessage;
    res: ServerResponse;
    upgraded: Upgraded | undefined;
  }) {
    this.engine = parts.engine;
    this.api = parts.api;
    this.params = parts.params;
    this.query = parts.query;
    this.req = parts.req;
    this.res = parts.res;
    this.#upgraded = parts.upgraded;
  }

  get words(): Words {
    return this.engine.words;
  }

  since(version: ApiVersion): boolean {
    return atLeast(this.api, version);
  }

  /** The path parameter `name`; a route that declares it always has it. */
  param(name: string): string {
    return this.params[name] ?? '';
  }

  /** The JSON body; undefined when there is none. */
  async json(): Promise<unknown> {
    return readJson(this.req, this.#upgraded ? await this.#takeBody(this.#upgraded) : undefined);
  }

  async bytes(limit: number): Promise<Buffer> {
    return this.#upgraded ? await this.#takeBody(this.#upgraded) : await readBody(this.req, limit);
  }

  /**
   * Drops the body of a request that is about to be hijacked. Clients may repeat their options there; input begins
   * after the request (RFC 9110, 7.8).
   */
  async dropBody(): Promise<void> {
    if (this.#upgraded) await this.#takeBody(this.#upgraded);
  }

  /** Sends the head of a 200 with JSON; the value follows later. */
  beginJson(): void {
    this.res.writeHead(200, { 'Content-Type': 'application/json' });
    this.res.flushHeaders();
  }

  answer(status: number, value: unknown): void {
    if (this.res.headersSent) {
      this.res.end(`${JSON.stringify(value)}\n`);
      return;
    }
    this.answerText(status, 'application/json', `${JSON.stringify(value)}\n`);
  }

  answerText(status: number, type: string, text: string): void {
    const body = Buffer.from(text);
    this.res.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length });
    this.res.end(body);
  }

  /** An answer without a body. */
  answerEmpty(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.res.writeHead(status, status === 204 || status === 304 ? headers : { 'Content-Length': '0', ...headers });
    this.res.end();
  }

  /** Runs `action` once when the client has gone, or has finished sending, before the answer is complete. */
  onGone(action: () => void): void {
    const line: unknown = this.req.socket;
    let done = false;
    const once = (): void => {
      if (done) return;
      done = true;
      if (line instanceof Line) line.off('client-end', once);
      action();
    };
    this.res.once('close', once);
    if (line instanceof Line) {
      line.once('client-end', once);
      if (line.clientEnded && line.destroyed) once();
    }
  }

  /**
   * Takes the connection over (Document 2, Stream framing): 101 when the client asked for an upgrade, else 200. With
   * `input` false a client that did not ask for an upgrade gets an ordinary streamed body.
   * @param framed whether frames are sent, which the media type tells since 1.42: after an upgrade, and of logs
   */
  hijack({ input, framed, isLog = false }: { input: boolean; framed: boolean; isLog?: boolean }): Duct {
    const upgraded = this.#upgraded;
    const asksUpgrade = upgraded !== undefined && this.req.headers.upgrade !== withoutUpgrade;
    const tellsFrames = framed && this.since('1.42') && (isLog || asksUpgrade);
    const type = this.words[`application/vnd.engine.${tellsFrames ? 'multiplexed' : 'raw'}-stream`];
    if (!upgraded) {
      if (input) this.res.useChunkedEncodingByDefault = false;
      this.res.writeHead(200, { 'Content-Type': type, Connection: 'close' });
      this.res.flushHeaders();
      return new Duct(this.res, input ? this.req : undefined);
    }
    const { line, head } = upgraded;
    if (head.length > 0) line.unshift(head);
    this.res.detachSocket(this.req.socket);
    const asked = this.req.headers.upgrade ?? '';
    const status =
      asked === withoutUpgrade
        ? 'HTTP/1.1 200 OK\r\nConnection: close\r\n'
        : `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${asked.replace(/[^\w./, -]/g, '')}\r\n`;
    const origin = this.engine.corsHeader ? `Access-Control-Allow-Origin: ${this.engine.corsHeader}\r\n` : '';
    line.write(`${status}${origin}Content-Type: ${type}\r\n\r\n`);
    return new Duct(line, line);
  }

  /**
   * Opens a websocket (RFC 6455) whose messages are the bytes of `open`'s duct. Throws 400 for an invalid handshake.
   */
  webSocket(open: (duct: Duct) => void): void {
    const upgraded = this.#upgraded;
    checkHandshake(this);
    if (!upgraded) throw badParameter('the request is no websocket handshake');
    this.res.detachSocket(this.req.socket);
    acceptWebSocket(this.req, upgraded, open, isDocumented(this.api) || this.since('1.28'));
  }

  /** The Content-Length bytes after the head of an upgrade request, which node leaves unparsed. */
  async #takeBody(upgraded: Upgraded): Promise<Buffer> {
    const length = Math.min(Number(this.req.headers['content-length'] ?? 0) || 0, 8 * 1024 * 1024);
    while (upgraded.head.length < length && !upgraded.line.readableEnded) {
      const chunk = await nextChunk(upgraded.line);
      if (!chunk) break;
      upgraded.head = Buffer.concat([upgraded.head, chunk]);
    }
    const body = upgraded.head.subarray(0, length);
    upgraded.head = upgraded.head.subarray(length);
    return body;
  }
}

function nextChunk(line: Line): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const settle = (chunk?: Buffer): void => {
      line.off('data', settle).off('end', ended).off('close', ended);
      line.pause();
      resolve(chunk);
    };
    const ended = (): void => settle();
    line.on('data', settle).on('end', ended).on('close', ended);
    line.resume();
  });
}
