import type { Level } from '../../specs/statement.ts';
import type { TransportError } from '../transport/errors.ts';
import type { Shown } from './shown.ts';

interface OutcomeOptions extends ErrorOptions {
  /** Where an answer shows it. */
  readonly shown?: Shown | undefined;
}

/** The daemon does not do what the rule says. Verdict `fail`. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
  readonly expected: string;
  readonly actual: string;
  readonly level: Level;
  /** For a property: the rule that it decided. */
  readonly rule: string | undefined;
  readonly shown: Shown | undefined;

  /** @param level the level of this deviation, when it is lighter than its rule's */
  constructor(expected: string, actual: string, level: Level = 'must', rule?: string, options?: OutcomeOptions) {
    super(`expected ${expected}, got ${actual}`, options);
    this.expected = expected;
    this.actual = actual;
    this.level = level;
    this.rule = rule;
    this.shown = options?.shown;
  }
}

/** A step before the assertion failed, so the rule cannot be decided. Verdict `blocked`. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  readonly shown: Shown | undefined;

  constructor(message: string, options?: OutcomeOptions) {
    super(message, options);
    this.shown = options?.shown;
  }
}

/** The rule does not apply to this target. Verdict `skip`, with the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** What is expected of each exchange. */
export const wholeAnswer = 'a whole answer';

/** The outcome for a rule that was judged by an exchange without a complete answer. */
export function unanswered(error: TransportError, rule?: string): Deviation {
  return new Deviation(wholeAnswer, error.message, 'must', rule, { cause: error });
}

/** What a check or trial threw; undefined when it ended normally. */
export async function outcomeOf(run: () => Promise<void>): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error ?? new Error('the check threw nothing');
  }
}
