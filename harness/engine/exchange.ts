import type { JsonValue } from '../streams/json.ts';
import { parseJson } from '../streams/json.ts';
import { outputIn } from '../streams/text.ts';
import type { Dialect } from '../target/dialect.ts';
import { toNeutral } from '../target/dialect.ts';
import { headerOf, type WireAnswer, type WireHead, type WireRequest } from '../transport/wire.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Deviation } from '../verdict/outcomes.ts';

/** A request whose answer can be judged: its head has come. */
export interface Answered {
  readonly id: string;
  readonly request: WireRequest;
  readonly status: number;
  header(name: string): string | undefined;
}

/** A whole exchange. */
export class Exchange implements Answered {
  readonly id: string;
  readonly request: WireRequest;
  readonly answer: WireAnswer;
  readonly #dialect: Dialect;
  readonly #redact: ((text: string) => string) | undefined;
  #json: JsonValue | undefined;
  /** The JSON that this exchange is a part of. */
  #whole: JsonValue | undefined;

  /** @param redact removes what messages must not show */
  constructor(
    id: string,
    request: WireRequest,
    answer: WireAnswer,
    dialect: Dialect,
    redact?: (text: string) => string,
  ) {
    this.id = id;
    this.request = request;
    this.answer = answer;
    this.#dialect = dialect;
    this.#redact = redact;
  }

  get status(): number {
    return this.answer.status;
  }

  header(name: string): string | undefined {
    return headerIn(this.#dialect, this.answer, name);
  }

  /** A neutral header name as it is written on the wire. */
  headerOnWire(name: string): string {
    const words: Readonly<Record<string, string>> = this.#dialect.words;
    return words[name] ?? name;
  }

  /** Status and body in a few words, for messages. */
  get described(): string {
    const { status, body } = this.answer;
    if (body.length === 0) return `status ${status} with an empty body`;
    const shown = this.#redact ? Buffer.from(this.#redact(this.text)) : body;
    const text = shown.subarray(0, 200).toString('utf8').trim();
    return `status ${status} with ${JSON.stringify(text)}${shown.length > 200 ? '…' : ''}`;
  }

  get text(): string {
    return this.answer.body.toString('utf8');
  }

  /** The output in the body, with or without framing. */
  get output(): string {
    return outputIn(this.answer.body);
  }

  /**
   * The body as JSON with the documents' neutral words; integers beyond 2^53 are bigint.
   * @throws Deviation when it is not JSON
   */
  get json(): JsonValue {
    this.#json ??= toNeutral(this.#dialect, this.#parse());
    return this.#json;
  }

  /** The same exchange, with only a part of its JSON body to judge, such as one item of a list. */
  narrowedTo(part: JsonValue): Exchange {
    const narrowed = new Exchange(this.id, this.request, this.answer, this.#dialect, this.#redact);
    narrowed.#json = part;
    // A part that was composed from several places of the body is not a part of it.
    narrowed.#whole = this.answer.body.length > 0 && this.#isJson() ? this.root : part;
    return narrowed;
  }

  /** The JSON that this exchange is judged in, itself or as a part. */
  get root(): JsonValue {
    return this.#whole ?? this.json;
  }

  /** The steps to a value of `root`, in the words on the wire. */
  onWire([first, ...rest]: readonly string[]): readonly string[] {
    if (first === undefined) return [];
    const words: Readonly<Record<string, string>> = this.#dialect.words;
    return [Array.isArray(this.root) ? first : (words[first] ?? first), ...rest];
  }

  #isJson(): boolean {
    try {
      parseJson(this.text);
      return true;
    } catch {
      return false;
    }
  }

  #parse(): JsonValue {
    try {
      return parseJson(this.text);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      currentJudgement().judged([this.id]);
      throw new Deviation('a JSON body', `${this.described} (${why})`, 'must', undefined, {
        shown: { exchange: this.id, from: { part: 'json', at: [[]] }, wanted: { is: 'json' } },
      });
    }
  }
}

/** The value of a header by its neutral name. */
export function headerIn(dialect: Dialect, head: WireHead, name: string): string | undefined {
  const words: Readonly<Record<string, string>> = dialect.words;
  const value = headerOf(head.headers, words[name] ?? name);
  const streams = ['application/vnd.engine.raw-stream', 'application/vnd.engine.multiplexed-stream'] as const;
  return streams.reduce((text, word) => text && withNeutralType(text, dialect.words[word], word), value);
}

/** Media types are compared without regard to case. */
function withNeutralType(value: string, onWire: string, neutral: string): string {
  const at = value.toLowerCase().indexOf(onWire.toLowerCase());
  return at < 0 ? value : value.slice(0, at) + neutral + value.slice(at + onWire.length);
}
