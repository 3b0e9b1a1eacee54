import { isDeepStrictEqual } from 'node:util';
import type { Level } from '../../specs/statement.ts';
import type { JsonValue } from '../streams/json.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Deviation } from '../verdict/outcomes.ts';
import { keptValue, type Shown, type Wanted } from '../verdict/shown.ts';
import { isLike } from './like.ts';
import { show, showBytes } from './show.ts';

/** Where a value stands in an answer. */
type Place = Pick<Shown, 'exchange' | 'from'>;

/**
 * What is expected of one value. Each matcher throws a Deviation with the value's name, what was expected and what
 * came.
 */
export class ValueExpectation {
  readonly #label: string;
  readonly #value: unknown;
  readonly #evidence: readonly string[];
  readonly #level: Level;
  readonly #used: () => void;
  readonly #place: () => Place | undefined;

  /** @param place where the value stands in an answer; asked only when it deviates */
  constructor(
    label: string,
    value: unknown,
    evidence: readonly string[],
    level: Level,
    place: () => Place | undefined = () => undefined,
  ) {
    this.#place = place;
    this.#label = label;
    this.#value = value;
    this.#evidence = evidence;
    this.#level = level;
    this.#used = currentJudgement().expecting(`the expectation of ${label}`);
  }

  /** Equal; the order of object members does not matter. */
  toBe(expected: unknown): void {
    this.toSatisfy(show(expected), (value) => isDeepStrictEqual(value, expected), oneOf([expected]));
  }

  /** Equal except for further members of objects, which nothing forbids (interpretation `open-objects`). */
  toBeLike(expected: unknown): void {
    this.toSatisfy(show(expected), (value) => isLike(value, expected), withValue('like', expected));
  }

  toBeOneOf(...expected: readonly unknown[]): void {
    const isOne = (value: unknown) => expected.some((one) => isDeepStrictEqual(value, one));
    this.toSatisfy(expected.map(show).join(' or '), isOne, oneOf(expected));
  }

  toDiffer(other: unknown): void {
    this.toSatisfy(
      `something other than ${show(other)}`,
      (value) => !isDeepStrictEqual(value, other),
      withValue('other-than', other),
    );
  }

  /** A text that matches the pattern. */
  toMatch(pattern: RegExp): void {
    const matches = (value: unknown) => typeof value === 'string' && pattern.test(value);
    this.toSatisfy(`a text like ${pattern}`, matches, patternOf(pattern));
  }

  /** A text or list that has this part or item. */
  toContain(part: unknown): void {
    this.toSatisfy(`something with ${show(part)}`, (value) => has(value, part), withValue('with', part));
  }

  /** A text or list without this part or item. */
  toLack(part: unknown): void {
    const lacks = (value: unknown) => (typeof value === 'string' || Array.isArray(value)) && !has(value, part);
    this.toSatisfy(`something without ${show(part)}`, lacks, withValue('without', part));
  }

  toBeAtLeast(least: number): void {
    const isAtLeast = (value: unknown) => typeof value === 'number' && value >= least;
    this.toSatisfy(`at least ${least}`, isAtLeast, { is: 'at-least', value: least });
  }

  toBeAtMost(most: number): void {
    const isAtMost = (value: unknown) => typeof value === 'number' && value <= most;
    this.toSatisfy(`at most ${most}`, isAtMost, { is: 'at-most', value: most });
  }

  toBeAbsent(): void {
    this.toSatisfy('nothing there', (value) => value === undefined, { is: 'absent' });
  }

  /** Anything but absent. */
  toBeThere(): void {
    this.toSatisfy('a value', (value) => value !== undefined, { is: 'there' });
  }

  /**
   * Any other condition.
   * @param expected the condition in words
   * @param wanted the condition for a script, where it can be written down
   */
  toSatisfy(expected: string, holds: (value: unknown) => boolean, wanted?: Wanted): void {
    this.#used();
    currentJudgement().asserted(this.#evidence);
    if (holds(this.#value)) return;
    const shown = this.#where(wanted);
    throw new Deviation(`${this.#label}: ${expected}`, this.#shown(), this.#level, undefined, { shown });
  }

  #where(wanted: Wanted | undefined): Shown | undefined {
    const place = this.#place();
    const condition = wanted ?? withValue('other-than', this.#value);
    return place && { ...place, ...(condition && { wanted: condition }) };
  }

  #shown(): string {
    return this.#value instanceof Uint8Array ? showBytes(this.#value) : show(this.#value);
  }
}

function oneOf(values: readonly unknown[]): Wanted | undefined {
  const kept = values.map(keptValue).filter((value) => value !== undefined);
  return kept.length === values.length ? { is: 'one-of', values: kept } : undefined;
}

function withValue(is: 'like' | 'other-than' | 'with' | 'without', value: unknown): Wanted | undefined {
  const kept: JsonValue | undefined = keptValue(value);
  return kept === undefined ? undefined : { is, value: kept };
}

/** A pattern as a condition; undefined where it works line by line. */
export function patternOf({ source, flags }: RegExp): Wanted | undefined {
  return /[ms]/.test(flags) ? undefined : { is: 'matching', pattern: source, anyCase: flags.includes('i') };
}

function has(value: unknown, part: unknown): boolean {
  if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
  return Array.isArray(value) && value.some((item) => isDeepStrictEqual(item, part));
}
