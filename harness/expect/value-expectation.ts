import { isDeepStrictEqual } from 'node:util';
import type { Level } from '../../specs/rule.ts';
import { currentJudgement } from '../verdict/judgement.ts';
import { Deviation } from '../verdict/outcomes.ts';
import { isLike } from './like.ts';
import { show, showBytes } from './show.ts';

/** What is expected of one value. Each matcher throws a Deviation that names the value, what was expected and what came. */
export class ValueExpectation {
  readonly #label: string;
  readonly #value: unknown;
  readonly #evidence: readonly string[];
  readonly #level: Level;
  readonly #used: () => void;

  constructor(label: string, value: unknown, evidence: readonly string[], level: Level) {
    this.#label = label;
    this.#value = value;
    this.#evidence = evidence;
    this.#level = level;
    this.#used = currentJudgement().expecting(`the expectation of ${label}`);
  }

  /** Equal, members of objects in any order. */
  toBe(expected: unknown): void {
    this.toSatisfy(show(expected), (value) => isDeepStrictEqual(value, expected));
  }

  /** Equal but for further members of objects, which nothing forbids (interpretation `open-objects`). */
  toBeLike(expected: unknown): void {
    this.toSatisfy(show(expected), (value) => isLike(value, expected));
  }

  toBeOneOf(...expected: readonly unknown[]): void {
    this.toSatisfy(expected.map(show).join(' or '), (value) => expected.some((one) => isDeepStrictEqual(value, one)));
  }

  toDiffer(other: unknown): void {
    this.toSatisfy(`something other than ${show(other)}`, (value) => !isDeepStrictEqual(value, other));
  }

  /** A text that matches. */
  toMatch(pattern: RegExp): void {
    this.toSatisfy(`a text like ${pattern}`, (value) => typeof value === 'string' && pattern.test(value));
  }

  /** A text or list that has this part or item. */
  toContain(part: unknown): void {
    this.toSatisfy(`something with ${show(part)}`, (value) => has(value, part));
  }

  /** A text or list without this part or item. */
  toLack(part: unknown): void {
    this.toSatisfy(`something without ${show(part)}`, (value) => {
      return (typeof value === 'string' || Array.isArray(value)) && !has(value, part);
    });
  }

  toBeAtLeast(least: number): void {
    this.toSatisfy(`at least ${least}`, (value) => typeof value === 'number' && value >= least);
  }

  toBeAtMost(most: number): void {
    this.toSatisfy(`at most ${most}`, (value) => typeof value === 'number' && value <= most);
  }

  toBeAbsent(): void {
    this.toSatisfy('nothing there', (value) => value === undefined);
  }

  /** Anything but absent. */
  toBeThere(): void {
    this.toSatisfy('a value', (value) => value !== undefined);
  }

  /**
   * A condition of one's own.
   * @param expected the condition in words
   */
  toSatisfy(expected: string, holds: (value: unknown) => boolean): void {
    this.#used();
    currentJudgement().asserted(this.#evidence);
    if (holds(this.#value)) return;
    throw new Deviation(`${this.#label}: ${expected}`, this.#shown(), this.#level);
  }

  #shown(): string {
    return this.#value instanceof Uint8Array ? showBytes(this.#value) : show(this.#value);
  }
}

function has(value: unknown, part: unknown): boolean {
  if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
  return Array.isArray(value) && value.some((item) => isDeepStrictEqual(item, part));
}
