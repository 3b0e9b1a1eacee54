import type { Exchange } from '../../../../harness/engine/exchange.ts';
import { expect, expectValue } from '../../../../harness/expect/expect.ts';
import type { Trial } from '../../../../harness/property/trial.ts';
import type { StatedRuleId } from '../../../../specs/stated.ts';

/** Whether something matches; `open` where the documents do not say. */
export type Passing = 'yes' | 'no' | 'open';

export function passingIf(holds: boolean): Passing {
  return holds ? 'yes' : 'no';
}

/**
 * Combines several values of one filter. The documents say only of alternatives, of which nothing can match two,
 * whether something that matches just some of the values is listed.
 */
export function ofValues(each: readonly Passing[], alternatives: boolean): Passing {
  if (each.every((one) => one === 'no')) return 'no';
  return each.every((one) => one === 'yes') || (alternatives && each.includes('yes')) ? 'yes' : 'open';
}

/** One value of a filter, as it is sent. */
export interface AskedValue<Thing> {
  readonly text: string;
  /** The rule by which the value is judged. */
  readonly rule: StatedRuleId;
  readonly passes: (thing: Thing) => Passing;
}

/** A filter of a list, as it is sent. */
export interface AskedFilter<Thing> {
  readonly filter: string;
  readonly values: readonly AskedValue<Thing>[];
  /** Whether nothing can match two of its values. */
  readonly alternatives?: boolean;
}

/** The filters and values whose rules hold in this version and have no known deviation. */
export function judgedBy<Thing>(trial: Trial, asked: readonly AskedFilter<Thing>[]): AskedFilter<Thing>[] {
  return asked
    .map((one) => ({ ...one, values: one.values.filter(({ rule }) => trial.holds(rule)) }))
    .filter(({ values }) => values.length > 0);
}

/** The map as it is sent. */
export function mapOf<Thing>(asked: readonly AskedFilter<Thing>[]): Record<string, string[]> {
  return Object.fromEntries(asked.map(({ filter, values }) => [filter, values.map(({ text }) => text)]));
}

/** The filters in words. */
export function wordsOf<Thing>(asked: readonly AskedFilter<Thing>[]): string {
  return asked.map(({ filter, values }) => `${filter} ${values.map(({ text }) => text).join(' or ')}`).join(' and ');
}

interface Listed<Thing> {
  readonly asked: readonly AskedFilter<Thing>[];
  /** All things of the trial. */
  readonly things: readonly Thing[];
  readonly nameOf: (thing: Thing) => string;
  readonly isListed: (thing: Thing) => boolean;
  readonly answer: Exchange;
  /** The rule for several filters or values together. */
  readonly together: StatedRuleId;
}

/** Judges that a list has every thing of the trial that matches all filters, and none that fails to match one. */
export async function judgeListed<Thing>(trial: Trial, listed: Listed<Thing>): Promise<void> {
  const { asked, things, nameOf, isListed, answer, together } = listed;
  const [only] = asked;
  if (!only) return;
  const rule = (asked.length === 1 && only.values.length === 1 ? only.values[0]?.rule : undefined) ?? together;
  await trial.decides(rule, () => expect(answer).toHaveStatus(200));
  if (answer.status !== 200) return;
  const passing = ({ values, alternatives = false }: AskedFilter<Thing>, thing: Thing) =>
    ofValues(
      values.map(({ passes }) => passes(thing)),
      alternatives,
    );
  for (const one of asked) {
    const [first] = one.values;
    if (!first) continue;
    const surplus = things.filter((thing) => isListed(thing) && passing(one, thing) === 'no').map(nameOf);
    await trial.decides(first.rule, () =>
      expectValue(`what is listed and does not pass ${wordsOf([one])}`, surplus, [answer]).toBe([]),
    );
  }
  const missing = things
    .filter((thing) => !isListed(thing) && asked.every((one) => passing(one, thing) === 'yes'))
    .map(nameOf);
  await trial.decides(rule, () =>
    expectValue(`what passes ${wordsOf(asked)} and is not listed`, missing, [answer]).toBe([]),
  );
}
