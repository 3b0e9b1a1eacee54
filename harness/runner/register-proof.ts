import { describe, test } from '@vitest/runner';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import type { Check } from '../check.ts';
import type { DistinctFault } from './distinct-faults.ts';
import { tryOthers, tryRefusals } from './matrix-trials.ts';
import type { Places } from './places.ts';
import type { Session } from './session.ts';
import type { Witnesses } from './witness.ts';

interface ProofParts {
  readonly session: Session;
  readonly places: Places;
  readonly witnesses: Witnesses;
  readonly checks: readonly Check[];
  readonly faults: readonly DistinctFault[];
  readonly apis: readonly ApiVersion[];
  /** Whether the proof tries a rule in a version. */
  readonly isTried: (rule: Rule, api: ApiVersion) => boolean;
}

/**
 * Registers what a proof tries in addition to each check under its own faults. To be called after these, when it is
 * known what each check exchanges with a daemon without a fault.
 */
export function registerProof({ session, places, witnesses, checks, faults, apis, isTried }: ProofParts): void {
  describe.concurrent('refusals', () => {
    for (const check of checks) {
      const { rule, exclusive, last } = check;
      const api = apis.findLast((one) => holdsIn(rule, one) && isTried(rule, one));
      // A check that judges the whole run makes no requests of its own that matter here.
      if (exclusive || last || rule.kind === 'property' || rule.level === 'observe' || api === undefined) continue;
      test(`${rule.id} [refused]`, { meta: { rule: rule.id, api, begun: true } }, ({ task }) =>
        places.in(Number.POSITIVE_INFINITY, async () => {
          task.meta.refusals = await tryRefusals(session, witnesses, check, api);
        }),
      );
    }
  });
  describe.concurrent('others', () => {
    for (const fault of faults) {
      const [rule = ''] = fault.of;
      test(`${fault.endpoint} [${fault.name}]`, { meta: { rule, api: fault.api, begun: true } }, ({ task }) =>
        places.in(Number.POSITIVE_INFINITY, async () => {
          task.meta.others = await tryOthers(session, witnesses, checks, fault);
        }),
      );
    }
  });
}
