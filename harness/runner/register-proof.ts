import { describe, test } from '@vitest/runner';
import type { Rule } from '../../specs/rule.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Check } from '../check.ts';
import type { DistinctFault } from './distinct-faults.ts';
import { tryOthers, tryRefusals } from './matrix-trials.ts';
import type { Places } from './places.ts';
import type { Session } from './session.ts';
import type { Turns } from './turns.ts';
import type { Witnesses } from './witness.ts';

/** What the tests of a run share. */
export interface Running {
  readonly session: Session;
  readonly places: Places;
  readonly turns: Turns;
}

interface ProofParts extends Running {
  readonly witnesses: Witnesses;
  readonly checks: readonly Check[];
}

interface RefusalParts extends ProofParts {
  /** The versions in which the proof tries a rule, the newest last. */
  readonly triedIn: (rule: Rule) => readonly ApiVersion[];
  /** Is fulfilled when a check has run without a fault in a version. */
  readonly isOver: (check: Check, api: ApiVersion) => Promise<void>;
}

/** Registers the trials of each check on daemons that refuse everything, each after the check has run without a fault. */
export function registerRefusals(parts: RefusalParts): void {
  const { session, places, turns, witnesses, checks, triedIn, isOver } = parts;
  describe('refusals', () => {
    for (const check of checks) {
      const { rule } = check;
      const api = triedIn(rule).at(-1);
      if (rule.kind === 'property' || rule.level === 'observe' || api === undefined) continue;
      const turn = turns.add(async () => {
        // Only then is it known what it met. Whoever waited at a place could wait for a check that waits for a place.
        await isOver(check, api);
        // Some wait long for what never comes, so none is left to the end.
        await places.enterNext();
      });
      test(`${rule.id} [refused]`, { meta: { rule: rule.id, api, turn, begun: true } }, ({ task }) =>
        places.inside(Number.POSITIVE_INFINITY, async () => {
          task.meta.refusals = await tryRefusals(session, witnesses, check, api);
        }),
      );
    }
  });
}

interface OthersParts extends ProofParts {
  readonly faults: readonly DistinctFault[];
}

/**
 * Registers the trials of each fault on other checks. To be called after all checks were registered, when it is known
 * what each exchanges with a daemon without a fault.
 */
export function registerOthers({ session, places, turns, witnesses, checks, faults }: OthersParts): void {
  describe.concurrent('others', () => {
    for (const fault of faults) {
      const [rule = ''] = fault.of;
      const turn = turns.add(() => places.enter());
      test(`${fault.endpoint} [${fault.name}]`, { meta: { rule, api: fault.api, turn, begun: true } }, ({ task }) =>
        places.inside(Number.POSITIVE_INFINITY, async () => {
          task.meta.others = await tryOthers(session, witnesses, checks, fault);
        }),
      );
    }
  });
}
