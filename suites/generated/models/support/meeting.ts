import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type CheckContext, check } from '../../../../harness/check.ts';
import type { Exchange } from '../../../../harness/engine/exchange.ts';
import { lookUntil } from '../../../../harness/engine/look-until.ts';
import { expectValue } from '../../../../harness/expect/expect.ts';
import { show } from '../../../../harness/expect/show.ts';
import type { Fault } from '../../../../harness/faults/fault.ts';
import { forAll } from '../../../../harness/property/for-all.ts';
import type { RuleId } from '../../../../specs/catalogue.ts';
import type { StatedRuleId } from '../../../../specs/stated.ts';
import { type After, type Done, outcomesOf } from './orders.ts';
import { openScene, type Scene } from './scene.ts';

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

interface Meeting<Setup, Operation, Outcome> {
  readonly faults: readonly Fault[];
  readonly runs: number;
  readonly values: (context: CheckContext) => fc.Arbitrary<{ readonly setup: Setup; readonly pair: Pair<Operation> }>;
  /** Makes what they work on, and adds that to the trial's steps. */
  readonly begin: (setup: Setup, scene: Scene) => Promise<Stage<Operation, Outcome>>;
  readonly words: (operation: Operation) => string;
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

/** Runs two clients at the same time, and judges that the outcome is that of some order of their operations. */
export function checkMeeting<Setup, Operation, Outcome>(id: RuleId, meeting: Meeting<Setup, Operation, Outcome>): void {
  const { faults, runs, values, begin, words, after, ruleAgainst } = meeting;
  check(id, { faults }, (context) =>
    forAll(context, values(context), { runs, unbiased: true }, async ({ setup, pair }, trial) => {
      const scene = await openScene(trial);
      const { first, named = (operation) => operation, send, look } = await begin(setup, scene);
      trial.step(
        pair.map((operations) => `one client ${operations.map(words).join(', then ')}`).join('; at the same time '),
      );
      const done = await Promise.all(pair.map((operations) => clientOf(operations.map(named), send)));
      const outcomes = outcomesOf(first, done, after(context.api));
      const isExplained = ({ outcome }: Look<Outcome>) => outcomes.some((one) => isDeepStrictEqual(one, outcome));
      const seen = await lookUntil(look, isExplained, settlesWithinMs);
      await trial.decides(ruleAgainst(outcomes, seen.outcome), () =>
        expectValue('what the daemon shows', seen.outcome, seen.evidence).toSatisfy(
          outcomes.length === 0 ? 'that the two did not both succeed' : `one of ${show(outcomes)}`,
          () => isExplained(seen),
        ),
      );
      scene.listener.live.drop();
    }),
  );
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
