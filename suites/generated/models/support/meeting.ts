import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type CheckContext, check } from '../../../../harness/check.ts';
import type { Exchange } from '../../../../harness/engine/exchange.ts';
import { lookUntil } from '../../../../harness/engine/look-until.ts';
import { expectValue } from '../../../../harness/expect/expect.ts';
import { show } from '../../../../harness/expect/show.ts';
import type { Fault } from '../../../../harness/faults/fault.ts';
import { forAll } from '../../../../harness/property/for-all.ts';
import type { Capability } from '../../../../specs/capabilities.ts';
import type { RuleId } from '../../../../specs/catalogue.ts';
import type { StatedRuleId } from '../../../../specs/stated.ts';
import { type After, type Done, outcomesOf } from './orders.ts';
import { Scene } from './scene.ts';

/** What two clients do at the same time. */
export type Pair<Operation> = readonly [readonly Operation[], readonly Operation[]];

/** What the daemon shows. */
export interface Look<Outcome> {
  readonly outcome: Outcome;
  readonly evidence: readonly Exchange[];
}

/** The thing that two clients work on. */
export interface Stage<Operation, Outcome> {
  /** The outcome before any operation. */
  readonly first: Outcome;
  /** The operation with names of the sandbox in place of letters. Default: unchanged. */
  readonly named?: (operation: Operation) => Operation;
  readonly send: (operation: Operation) => Promise<Exchange>;
  readonly look: () => Promise<Look<Outcome>>;
}

/** One meeting of two clients. */
export interface Met<Setup, Operation> {
  readonly setup: Setup;
  readonly pair: Pair<Operation>;
}

/** The same with its place in the run. */
export interface Placed<Setup, Operation> extends Met<Setup, Operation> {
  readonly place: number;
}

/** What a meeting came to. */
export interface Came<Outcome> {
  readonly outcome: Outcome;
  /** Whether it was the only one possible. If not, the daemon may still be on its way to another. */
  readonly certain: boolean;
}

interface Meeting<Props, Setup, Operation, Outcome> {
  /** Capabilities that `values` looks at. */
  readonly looksAt?: readonly Capability[];
  readonly faults: readonly Fault[];
  readonly runs: number;
  /** The meetings of a run, which follow one another. */
  readonly values: (context: CheckContext) => fc.Arbitrary<readonly Met<Setup, Operation>[]>;
  /** Makes what all meetings of a run need. */
  readonly prepare: (scene: Scene, context: CheckContext) => Promise<Props>;
  /**
   * Makes what they work on, and adds that to the trial's steps.
   * @returns undefined when it cannot follow the meeting before
   */
  readonly begin: (
    met: Placed<Setup, Operation>,
    scene: Scene,
    props: Props,
    before: Came<Outcome> | undefined,
  ) => Promise<Stage<Operation, Outcome> | undefined>;
  readonly words: (operation: Operation, place: number) => string;
  readonly after: (api: CheckContext['api']) => After<Operation, Outcome>;
  /** The rule by which an outcome is judged, depending on the part of it that no order explains. */
  readonly ruleAgainst: (outcomes: readonly Outcome[], seen: Outcome) => StatedRuleId;
}

/** What each of two clients does: one or two of the operations. */
export function clients<Operation>(
  one: readonly Operation[],
  other: readonly Operation[] = one,
): fc.Arbitrary<[Operation[], Operation[]]> {
  const some = (operations: readonly Operation[]) =>
    fc.array(fc.constantFrom(...operations), { minLength: 1, maxLength: 2 });
  return fc.tuple(some(one), some(other));
}

/** Up to so many meetings in a row. */
export function inTurn<T>(met: fc.Arbitrary<T>, most: number): fc.Arbitrary<T[]> {
  return fc.array(met, { minLength: 1, maxLength: most, size: 'max' });
}

/**
 * Runs two clients at the same time, and judges that the outcome is that of some order of their operations. Several
 * meetings follow one another in a run, so that what they need is made once.
 */
export function checkMeeting<Props, Setup, Operation, Outcome>(
  id: RuleId,
  { faults, looksAt = [], runs, values, prepare, ...meeting }: Meeting<Props, Setup, Operation, Outcome>,
): void {
  check(id, { faults, looksAt }, (context) =>
    forAll(context, values(context), { runs, unbiased: true }, async (met, trial) => {
      const scene = new Scene(trial);
      const props = await prepare(scene, context);
      let before: Came<Outcome> | undefined;
      for (const [place, one] of met.entries()) {
        const placed = { ...one, place };
        const stage = await meeting.begin(placed, scene, props, before);
        if (!stage) return;
        before = await meet(placed, stage, scene, meeting);
        if (!before) return;
      }
    }),
  );
}

/** @returns undefined when the outcome is a deviation that is known */
async function meet<Operation, Outcome>(
  { pair, place }: Placed<unknown, Operation>,
  { first, named = (operation) => operation, send, look }: Stage<Operation, Outcome>,
  { trial, engine }: Scene,
  { words, after, ruleAgainst }: Pick<Meeting<never, never, Operation, Outcome>, 'words' | 'after' | 'ruleAgainst'>,
): Promise<Came<Outcome> | undefined> {
  const said = (operations: readonly Operation[]) => operations.map((one) => words(one, place)).join(', then ');
  trial.step(pair.map((operations) => `one client ${said(operations)}`).join('; at the same time '));
  const done = await Promise.all(pair.map((operations) => clientOf(operations.map(named), send)));
  const outcomes = outcomesOf(first, done, after(engine.api));
  const isExplained = ({ outcome }: Look<Outcome>) => outcomes.some((one) => isDeepStrictEqual(one, outcome));
  const ruleOf = ({ outcome }: Look<Outcome>) => ruleAgainst(outcomes, outcome);
  // A deviation that is known is not waited for.
  const seen = await lookUntil(look, (seen) => isExplained(seen) || !trial.holds(ruleOf(seen)), settlesWithinMs);
  await trial.decides(ruleOf(seen), () =>
    expectValue('what the daemon shows', seen.outcome, seen.evidence).toSatisfy(
      outcomes.length === 0 ? 'that the two did not both succeed' : `one of ${show(outcomes)}`,
      () => isExplained(seen),
    ),
  );
  if (!isExplained(seen)) return undefined;
  return { outcome: seen.outcome, certain: outcomes.every((one) => isDeepStrictEqual(one, seen.outcome)) };
}

/** One client performs its operations one after another. */
async function clientOf<Operation>(
  operations: readonly Operation[],
  send: (operation: Operation) => Promise<Exchange>,
): Promise<Done<Operation>[]> {
  const done: Done<Operation>[] = [];
  for (const operation of operations) {
    const { status } = await send(operation);
    done.push({ operation, status });
  }
  return done;
}

/** How long a daemon may take to show the outcome everywhere. */
const settlesWithinMs = 1_500;
