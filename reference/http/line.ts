import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** The Upgrade value that `Line` adds to a hijacking request that has none. */
export const withoutUpgrade = 'hijack-without-upgrade';

const hijacking = /^POST [^ ]*\/(containers\/[^/ ?]+\/attach|exec\/[^/ ?]+\/start)(\?[^ ]*)? HTTP\/1\.[01]$/;
const ownBody = /\r\n(transfer-encoding|content-length)[ \t]*:[ \t]*[^0\r]/i;
const chunkedBody = /\r\ntransfer-encoding[ \t]*:/i;
const jsonBody = /\r\ncontent-type[ \t]*:[ \t]*application\/json/i;
const longestHead = 16_384;

/**
 * A client's connection as node:http sees it. Node's parser keeps hold of a socket unless a request asks for an
 * upgrade, yet attach and exec start also hijack it without one (Document 2, Stream framing). So an Upgrade header is
 * added to such requests on their way in, and node hands the connection over with every byte after the head.
 */
export class Line extends Duplex {
  readonly #socket: Socket;
  #held: Buffer | undefined;
  #atRequest = true;
  /** Whether the client has finished sending. */
  clientEnded = false;

  constructor(socket: Socket) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    this.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => {
      if (this.#held) this.push(this.#held);
      this.#held = undefined;
      this.clientEnded = true;
      this.push(null);
      this.emit('client-end');
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Announces that the client's next byte begins a new request. */
  expectRequest(): void {
    this.#atRequest = true;
  }

  #receive(chunk: Buffer): void {
    let data = chunk;
    if (this.#atRequest) {
      data = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
      this.#held = undefined;
      const judged = addUpgrade(data);
      if (!judged) {
        this.#held = data;
        return;
      }
      this.#atRequest = false;
      data = judged;
    }
    if (!this.push(data)) this.#socket.pause();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

/** The bytes to hand on, with an Upgrade header where one has to be added; undefined while more bytes are needed. */
function addUpgrade(data: Buffer): Buffer | undefined {
  const start = data.toString('latin1', 0, 5);
  if (start !== 'POST '.slice(0, start.length)) return data;
  const lineEnd = data.indexOf('\r\n');
  if (lineEnd < 0) return data.length < longestHead ? undefined : data;
  const requestLine = data.toString('latin1', 0, lineEnd);
  if (!hijacking.test(requestLine)) return data;
  const headEnd = data.indexOf('\r\n\r\n');
  if (headEnd < 0) return data.length < longestHead ? undefined : data;
  const head = data.toString('latin1', 0, headEnd);
  if (/\r\nupgrade[ \t]*:/i.test(head)) return data;
  // Standard input as a request body of its own, or a chunked body: node reads it as such. JSON is never input.
  const body = requestLine.includes('/attach') && !jsonBody.test(head) ? ownBody : chunkedBody;
  if (body.test(head)) return data;
  const added = Buffer.from(`\r\nConnection: Upgrade\r\nUpgrade: ${withoutUpgrade}`, 'latin1');
  return Buffer.concat([data.subarray(0, lineEnd), added, data.subarray(lineEnd)]);
}
