import HTTPParser from 'bare-http-parser';
import type { HeaderList } from '../../harness/events.ts';
import type { WireHead } from '../../harness/transport/wire.ts';
import type { Observer, Side } from '../relay.ts';
import { BodyBeginning } from './body-beginning.ts';
import type { Ending, ExchangeObserver, RequestHead } from './observed.ts';

const { REQUEST, RESPONSE, DATA, END } = HTTPParser.constants;

/** As much as engines accept for a head. */
const bounds = { maxHeaderSize: 1024 * 1024 };
/** Requests that may wait for their answers; only an attacker pipelines this many. */
const mostWaiting = 1_000;
/** Bytes that a client may send before an answer that may turn the connection into a stream. */
const mostHeld = 1024 * 1024;

export interface ConnectionEvents {
  begin(request: RequestHead): ExchangeObserver;
  /** The connection is passed on but no longer read. */
  unread(why: string): void;
}

/** An exchange without a complete answer. */
interface Waiting {
  readonly exchange: ExchangeObserver;
  readonly method: string;
  isAnswered: boolean;
}

/**
 * Reads the exchanges of a connection from the bytes of both directions. When it cannot read something, it reports that
 * once and stops reading the connection.
 */
export class ConnectionObserver implements Observer {
  readonly #events: ConnectionEvents;
  readonly #requests = new HTTPParser(bounds);
  readonly #answers = new HTTPParser(bounds);
  /** The oldest first. */
  readonly #waiting: Waiting[] = [];
  /** The exchange whose request is being read. */
  #sending: Waiting | undefined;
  /** The head of the answer being read. */
  #answering: WireHead | undefined;
  /** The exchange that has taken over the connection. */
  #stream: ExchangeObserver | undefined;
  /** The exchange whose answer decides what the client's further bytes are. */
  #deciding: Waiting | undefined;
  /** The bytes sent after it. */
  readonly #held = new BodyBeginning(mostHeld);
  #isRead = true;

  constructor(events: ConnectionEvents) {
    this.#events = events;
  }

  sent(bytes: Buffer): void {
    this.#guard(() => {
      if (this.#stream) this.#stream.streamed('sent', bytes);
      else if (this.#deciding) this.#hold(bytes);
      else this.#readRequests(bytes);
    });
  }

  received(bytes: Buffer): void {
    this.#guard(() => {
      if (this.#stream) this.#stream.streamed('received', bytes);
      else this.#readAnswers(this.#answers.push(bytes));
    });
  }

  receivedAll(): void {
    this.#guard(() => {
      if (!this.#stream && this.#answering && isEndless(this.#answering)) this.#readAnswers(this.#answers.end());
    });
  }

  closed(by: Side): void {
    this.#guard(() => this.#end(this.#stream ? 'whole' : by === 'client' ? 'client' : 'daemon'));
  }

  #readRequests(bytes: Buffer): void {
    for (const operation of this.#requests.push(bytes)) {
      if (operation.type === REQUEST) this.#begin(operation.method, operation.url, listOf(operation.headers));
      else if (operation.type === DATA) this.#sending?.exchange.requestBody(operation.data);
      else if (operation.type === END && this.#endRequest()) return;
    }
  }

  #begin(method: string, target: string, headers: HeaderList): void {
    if (method === 'CONNECT') throw new Error('the client asks for a tunnel');
    if (this.#waiting.length >= mostWaiting)
      throw new Error(`more than ${mostWaiting} requests are waiting for answers`);
    this.#sending = { exchange: this.#events.begin({ method, target, headers }), method, isAnswered: false };
    this.#waiting.push(this.#sending);
  }

  /** @returns whether the following bytes cannot be read before the answer */
  #endRequest(): boolean {
    const ended = this.#sending;
    this.#sending = undefined;
    if (!ended) return false;
    ended.exchange.requestEnded();
    if (ended.exchange.mayTakeOver && !ended.isAnswered) this.#deciding = ended;
    return this.#deciding !== undefined;
  }

  #hold(bytes: Buffer): void {
    this.#held.add(bytes);
    if (!this.#held.isWhole)
      throw new Error(`the client sent ${this.#held.size} bytes before the answer said how to read them`);
  }

  #readAnswers(operations: ReturnType<HTTPParser['push']>): void {
    this.#expectBody();
    for (const operation of operations) {
      if (operation.type === RESPONSE)
        this.#beginAnswer({ status: operation.code, headers: listOf(operation.headers) });
      else if (operation.type === DATA) this.#readBody(operation.data);
      else if (operation.type === END && this.#endAnswer()) return;
    }
  }

  #beginAnswer(head: WireHead): void {
    this.#answering = head;
    if (isInterim(head)) return;
    const [first] = this.#waiting;
    if (!first) throw new Error('an answer came without a request');
    first.isAnswered = true;
    first.exchange.answered(head);
    if (head.status === 101) return;
    if (first.exchange.mayTakeOver && isEndless(head)) this.#takeOver(first.exchange);
    else if (this.#deciding === first) this.#goOn();
  }

  #readBody(bytes: Buffer): void {
    if (this.#stream) this.#stream.streamed('received', bytes);
    else this.#waiting[0]?.exchange.answerBody(bytes);
  }

  /** @returns whether no more answers should be read */
  #endAnswer(): boolean {
    const head = this.#answering;
    this.#answering = undefined;
    const isLast = head !== undefined && !isInterim(head);
    if (isLast && head.status === 101) return this.#switch();
    if (isLast) this.#waiting.shift()?.exchange.ended('whole');
    this.#expectBody();
    return false;
  }

  #switch(): true {
    const [first] = this.#waiting;
    if (first) this.#takeOver(first.exchange);
    const rest = this.#answers.drain();
    if (rest.length > 0) this.#stream?.streamed('received', rest);
    return true;
  }

  /** The head of an answer to HEAD announces a body that does not come. */
  #expectBody(): void {
    if (!this.#answering && this.#waiting[0]?.method === 'HEAD') this.#answers.skipBody();
  }

  #takeOver(exchange: ExchangeObserver): void {
    this.#stream = exchange;
    exchange.takenOver();
    const early = Buffer.concat([this.#requests.drain(), this.#held.bytes]);
    if (early.length > 0) exchange.streamed('sent', early);
  }

  /** The connection continues with HTTP: the held bytes are further requests. */
  #goOn(): void {
    this.#deciding = undefined;
    this.#readRequests(this.#held.take());
  }

  #end(how: Ending): void {
    this.#isRead = false;
    for (const { exchange } of this.#waiting.splice(0)) exchange.ended(how);
  }

  #guard(look: () => void): void {
    if (!this.#isRead) return;
    try {
      look();
    } catch (error) {
      this.#end('unread');
      this.#events.unread(error instanceof Error ? error.message : String(error));
    }
  }
}

/** An answer that is followed by another one, such as 100. */
function isInterim({ status }: WireHead): boolean {
  return status < 200 && status !== 101;
}

/** Whether the body of an answer continues until the connection is closed. */
function isEndless({ status, headers }: WireHead): boolean {
  if (status < 200 || status >= 300 || status === 204) return false;
  return !headers.some(([name]) => name === 'content-length' || name === 'transfer-encoding');
}

function listOf(headers: Readonly<Record<string, string | readonly string[]>>): HeaderList {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const));
}
