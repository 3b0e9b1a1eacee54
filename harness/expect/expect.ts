import type { Level } from '../../specs/statement.ts';
import { literal } from '../../specs/wildcard.ts';
import type { Answered } from '../engine/exchange.ts';
import { Exchange } from '../engine/exchange.ts';
import { valuesAt } from '../streams/json-path.ts';
import { currentJudgement, passesBesides } from '../verdict/judgement.ts';
import { Deviation } from '../verdict/outcomes.ts';
import type { Shown, Wanted } from '../verdict/shown.ts';
import { locate, placeIn } from './locate.ts';
import { listsBadParameter, refusalsOf } from './refusal.ts';
import { show } from './show.ts';
import { patternOf, ValueExpectation } from './value-expectation.ts';

/** Where a deviation would be, and what should be there. */
interface Conditions {
  readonly from: Shown['from'];
  readonly wanted: Shown['wanted'];
}

/** What is expected of an answer. Each matcher throws a Deviation that says what was expected and what came. */
export class AnswerExpectation {
  readonly #answered: Answered;
  readonly #level: Level;
  readonly #used: () => void;

  constructor(answered: Answered, level: Level) {
    this.#answered = answered;
    this.#level = level;
    this.#used = currentJudgement().expecting(`expect(${answered.id})`);
  }

  /** One of the statuses. */
  toHaveStatus(...statuses: readonly number[]): void {
    const later = passesBesides();
    const taken = [...statuses, ...statuses.flatMap((status) => later?.statuses?.[status] ?? [])];
    this.#assert(
      taken.includes(this.#answered.status),
      `status ${taken.join(' or ')}`,
      this.#answered instanceof Exchange ? this.#answered.described : `status ${this.#answered.status}`,
      { from: { part: 'status' }, wanted: { is: 'one-of', values: taken } },
    );
  }

  /**
   * A 4xx or 5xx status: a refusal whose code the documents leave open. A status that they do not list for the endpoint
   * is less serious (interpretation `listed-codes`).
   * @param others statuses of the general table whose meaning fits this refusal
   */
  toBeRefused(...others: readonly number[]): void {
    const { status, request } = this.#answered;
    this.#assert(status >= 400 && status < 600, 'a status of class 4xx or 5xx', `status ${status}`, {
      from: { part: 'status' },
      wanted: { is: 'matching', pattern: '^[45]', anyCase: false },
    });
    // A reader is told, as the documents have a status for bad input (interpretation `bad-parameter`).
    const { notes } = currentJudgement();
    const note = 'refuses with 500 where 400 is listed for bad parameters';
    if (status === 500 && listsBadParameter(request) && !notes.includes(note)) notes.push(note);
    const fitting = refusalsOf(request);
    if (fitting?.includes(status) === false && !others.includes(status)) {
      const values = [...fitting, ...others];
      throw new Deviation(`a refusal with status ${fitting.join(' or ')}`, `status ${status}`, 'should', undefined, {
        shown: { exchange: this.#answered.id, from: { part: 'status' }, wanted: { is: 'one-of', values } },
      });
    }
  }

  /** A header, with this value or one that matches. Values are compared without regard to case. */
  toHaveHeader(name: string, value?: string | RegExp): void {
    const actual = this.#answered.header(name);
    const wanted = value === undefined ? `the header ${name}` : `the header ${name}: ${value}`;
    const mayLack = name.toLowerCase() === 'content-type' && passesBesides()?.noMediaType === true;
    const holds = actual === undefined ? mayLack : headerMatches(actual, value);
    this.#assert(holds, `${wanted}${mayLack ? ', or none' : ''}`, showHeader(name, actual), {
      from: { part: 'header', name: wireName(this.#answered, name) },
      wanted: headerWanted(value),
    });
  }

  toLackHeader(name: string): void {
    const actual = this.#answered.header(name);
    this.#assert(actual === undefined, `no header ${name}`, showHeader(name, actual), {
      from: { part: 'header', name: wireName(this.#answered, name) },
      wanted: { is: 'absent' },
    });
  }

  /** The media type of Content-Type, without parameters (interpretation `header-case`). */
  toHaveMediaType(...types: readonly string[]): void {
    const later = passesBesides();
    const taken = [...types, ...(later?.mediaTypes ?? [])];
    const actual = this.#answered.header('Content-Type');
    const type = actual?.split(';')[0]?.trim().toLowerCase();
    this.#assert(
      type === undefined ? later?.noMediaType === true : taken.includes(type),
      `Content-Type ${taken.join(' or ')}${later?.noMediaType ? ', or none' : ''}`,
      showHeader('Content-Type', actual),
      {
        from: { part: 'header', name: 'Content-Type' },
        wanted: { is: 'matching', pattern: `^(${taken.map(literal).join('|')})\\s*(;|$)`, anyCase: true },
      },
    );
  }

  toBeEmptyBody(): void {
    const body = this.#exchange().answer.body;
    this.#assert(body.length === 0, 'an empty body', this.#exchange().described, {
      from: { part: 'text' },
      wanted: { is: 'one-of', values: [''] },
    });
  }

  /** The body's text, exactly. */
  toHaveText(text: string): void {
    const actual = this.#exchange().text;
    this.#assert(actual === text, `the body ${show(text)}`, `the body ${show(actual)}`, {
      from: { part: 'text' },
      wanted: { is: 'one-of', values: [text] },
    });
  }

  /** The single value at a path of the JSON body, to be judged further. */
  field(path: string): ValueExpectation {
    this.#used();
    const values = valuesAt(this.#exchange().json, path);
    return new ValueExpectation(path, values[0], [this.#answered.id], this.#level, () => this.#place(path));
  }

  /** The whole JSON body, to be judged further. */
  json(label = 'the body'): ValueExpectation {
    this.#used();
    return new ValueExpectation(label, this.#exchange().json, [this.#answered.id], this.#level, () => this.#place(''));
  }

  /** @param path the path to the value; the first is used if there are several; '' is the whole body */
  #place(path: string): Pick<Shown, 'exchange' | 'from'> {
    const exchange = this.#exchange();
    return { exchange: exchange.id, from: placeIn(exchange, path) };
  }

  #exchange(): Exchange {
    if (this.#answered instanceof Exchange) return this.#answered;
    throw new Error('a live answer has no whole body to judge; read it with rest() or frames() and judge the value');
  }

  #assert(holds: boolean, expected: string, actual: string, condition: Conditions): void {
    this.#used();
    currentJudgement().asserted([this.#answered.id]);
    if (holds) return;
    const { from, wanted } = condition;
    const shown = { exchange: this.#answered.id, ...(from && { from }), ...(wanted && { wanted }) };
    throw new Deviation(expected, actual, this.#level, undefined, { shown });
  }
}

function headerMatches(actual: string, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted instanceof RegExp ? wanted.test(actual) : actual.toLowerCase() === wanted.toLowerCase();
}

function headerWanted(value: string | RegExp | undefined): Wanted | undefined {
  if (value === undefined) return { is: 'there' };
  return value instanceof RegExp ? patternOf(value) : { is: 'one-of', values: [value], anyCase: true };
}

function wireName(answered: Answered, name: string): string {
  return answered instanceof Exchange ? answered.headerOnWire(name) : name;
}

function showHeader(name: string, value: string | undefined): string {
  return value === undefined ? `no header ${name}` : `${name}: ${value}`;
}

export interface ExpectOptions {
  /** The level of a deviation, when it is lighter than the rule's. */
  readonly level?: Level;
}

/** Starts judging an answer: `expect(await container.stop()).toHaveStatus(304)`. */
export function expect(answered: Answered, options: ExpectOptions = {}): AnswerExpectation {
  return new AnswerExpectation(answered, options.level ?? 'must');
}

/**
 * Starts judging a value that was taken from one or more exchanges.
 * @param label what the value is, in words: 'the exit code'
 * @param evidence the exchanges it was taken from, the decisive one last
 */
export function expectValue(
  label: string,
  value: unknown,
  evidence: readonly Pick<Answered, 'id'>[],
  options: ExpectOptions = {},
): ValueExpectation {
  return new ValueExpectation(
    label,
    value,
    evidence.map(({ id }) => id),
    options.level ?? 'must',
    () => locate(label, value, evidence),
  );
}

/** Records a fact where the documents leave the matter open. The verdict of the rule is `observed`. */
export function observe(fact: string, ...evidence: readonly Answered[]): void {
  const judgement = currentJudgement();
  judgement.observations.push(fact);
  judgement.judged(evidence.map(({ id }) => id));
}
