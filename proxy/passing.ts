import type { Answered } from '../harness/engine/exchange.ts';
import { headerIn } from '../harness/engine/exchange.ts';
import type { RecordedExchange } from '../harness/events.ts';
import { keptBytes } from '../harness/recording/bytes.ts';
import { StreamRecorder } from '../harness/recording/stream.ts';
import type { JsonValue } from '../harness/streams/json.ts';
import { parseJson } from '../harness/streams/json.ts';
import { headerOf, type WireHead } from '../harness/transport/wire.ts';
import { answerOf } from '../specs/endpoint.ts';
import { ExchangeJudge } from './judge/exchange-judge.ts';
import { requestFindings } from './judge/requests.ts';
import type { Subject } from './judge/subject.ts';
import { BodyBeginning } from './observe/body-beginning.ts';
import type { Ending, ExchangeObserver, RequestHead } from './observe/observed.ts';
import { recordPassed } from './record.ts';
import type { Traffic } from './traffic.ts';

/** The largest JSON body that is judged; larger ones are passed on unjudged. */
const largestJson = 8 * 1024 * 1024;

/** An exchange in transit: what is kept of it, and its judges. */
export class PassingExchange implements ExchangeObserver {
  readonly id: string;
  readonly mayTakeOver: boolean;
  readonly #traffic: Traffic;
  readonly #connection: number;
  readonly #request: RequestHead;
  readonly #subject: Subject | undefined;
  readonly #startedAt = Date.now();
  readonly #sent: BodyBeginning;
  #received = new BodyBeginning(keptBytes);
  #answer: WireHead | undefined;
  #judge: ExchangeJudge | undefined;
  #stream: StreamRecorder | undefined;
  #isEvidence = false;
  #hasEnded = false;

  constructor(id: string, connection: number, request: RequestHead, traffic: Traffic) {
    this.id = id;
    this.#traffic = traffic;
    this.#connection = connection;
    this.#request = request;
    const { subject, isStream } = traffic.subjectOf(request, () => this.#sentJson());
    this.#subject = subject;
    this.mayTakeOver = isStream || headerOf(request.headers, 'Upgrade') !== undefined;
    this.#sent = new BodyBeginning(subject?.endpoint.body?.schema ? largestJson : keptBytes);
  }

  requestBody(bytes: Buffer): void {
    this.#sent.add(bytes);
  }

  requestEnded(): void {
    const subject = this.#subject;
    if (!subject) return;
    const text = this.#sent.isWhole ? this.#sent.bytes.toString('utf8') : undefined;
    for (const found of requestFindings(subject, { size: this.#sent.size, text })) {
      if (this.#traffic.clients.add(found, subject, this.id)) this.#isEvidence = true;
    }
  }

  answered(head: WireHead): void {
    this.#answer = head;
    const subject = this.#subject;
    if (!subject) return;
    const answer = answerOf(subject.endpoint, head.status, subject.api);
    if (answer?.body === 'object') this.#received = new BodyBeginning(largestJson);
    this.#judge = new ExchangeJudge(subject, this.#answered(head), (found) => {
      if (this.#traffic.ledger.add(found, subject.api, this.id)) this.#isEvidence = true;
    });
  }

  answerBody(bytes: Buffer): void {
    this.#received.add(bytes);
    this.#judge?.push(bytes);
  }

  takenOver(): void {
    this.#stream = new StreamRecorder();
  }

  streamed(direction: 'sent' | 'received', bytes: Buffer): void {
    this.#stream?.add(direction, Date.now() - this.#startedAt, bytes);
    if (direction === 'received') this.#judge?.push(bytes);
  }

  ended(how: Ending): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // A connection that was taken over may be ended by either side.
    if (how === 'whole' && !this.#stream) this.#judgeWhole();
    if (this.#isEvidence || this.#traffic.keepAll) this.#traffic.keep(this.#record(how));
  }

  #judgeWhole(): void {
    const { dialect } = this.#traffic.target;
    const body = this.#received.isWhole ? this.#received.bytes : undefined;
    this.#judge?.end(body, dialect, (text) => this.#traffic.redactor.text(text));
    const subject = this.#subject;
    if (!subject || !body || !this.#answer) return;
    if (this.#traffic.observeFields(subject, this.#answer.status, body, this.id)) this.#isEvidence = true;
  }

  #answered(head: WireHead): Answered {
    const { method, target, headers } = this.#request;
    const { dialect } = this.#traffic.target;
    return {
      id: this.id,
      request: { method, path: target, headers: Object.fromEntries(headers) },
      status: head.status,
      header: (name) => headerIn(dialect, head, name),
    };
  }

  #sentJson(): JsonValue | undefined {
    if (!this.#sent.isWhole || this.#sent.size === 0) return undefined;
    try {
      return parseJson(this.#sent.bytes.toString('utf8'));
    } catch {
      return undefined;
    }
  }

  #record(how: Ending): RecordedExchange {
    const { target, redactor } = this.#traffic;
    const passed = {
      id: this.id,
      madeFor: `a client on connection ${this.#connection}`,
      startedAt: this.#startedAt,
      request: this.#request,
      sent: this.#sent,
      answer: this.#answer,
      received: this.#received,
      stream: this.#stream?.pieces,
      failure: failures[how],
    };
    return recordPassed(passed, target.address, redactor);
  }
}

const failures: Readonly<Record<Ending, string | undefined>> = {
  whole: undefined,
  client: 'the client closed the connection before the end of the answer',
  daemon: 'the connection was closed before the end of the answer',
  unread: 'what came on the connection could not be read as HTTP',
};
