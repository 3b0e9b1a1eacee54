import { afterAll, describe, inject, test } from 'vitest';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn, isDocumented } from '../../specs/versions.ts';
import { allChecks, type Check } from '../check.ts';
import type { Result } from '../events.ts';
import type { Fault } from '../faults/fault.ts';
import { distinctFaults } from './distinct-faults.ts';
import type { OthersTried, RefusalTried } from './matrix-trials.ts';
import { endingChannel } from './plan.ts';
import { registerProof } from './register-proof.ts';
import { Session } from './session.ts';
import { Witnesses } from './witness.ts';

/** What a test of the run carries to the reporter. Small: what is large goes to the spill file. */
declare module 'vitest' {
  interface TaskMeta {
    rule?: string;
    api?: ApiVersion;
    /** Set when the check begins, so that one that was cut short is told from one that was not reached. */
    begun?: boolean;
    result?: Result;
    /** The fault under which the check ran, when the run proves checks. */
    fault?: string;
    lost?: string;
    /** How the target died, when it came back during this check or one beside it. */
    death?: string;
    /** Of a proof: what a fault did to other checks, and what a check said where everything is refused. */
    others?: OthersTried;
    refusals?: readonly RefusalTried[];
  }
}

/** Registers one test of vitest for each check of the plan and version. To be called once the suites are imported. */
export function registerChecks(): void {
  const plan = inject('plan');
  const checks = plan.rules.flatMap((id) => allChecks().get(id) ?? []);
  const chosen = plan.inOrder ? checks : longFirst(checks);
  const faults =
    plan.mode === 'prove' && plan.others
      ? distinctFaults(chosen, plan.whereChanged ? plan.apis.filter(isDocumented) : plan.apis)
      : [];
  const witnesses = plan.mode === 'prove' ? new Witnesses(faults) : undefined;
  const session = new Session(plan, witnesses);
  const ending = new BroadcastChannel(endingChannel(plan));
  ending.onmessage = () => session.endEarly();
  afterAll(async () => {
    ending.close();
    await session.close();
  });
  const isTried = (rule: Rule, api: ApiVersion) => plan.mode !== 'prove' || !plan.whereChanged || isProvenIn(rule, api);
  const register = (checks: readonly Check[]) => {
    for (const api of plan.apis) {
      describe(api, () => {
        for (const one of checks.filter(({ rule }) => holdsIn(rule, api) && isTried(rule, api))) {
          registerOne(session, one, api, undefined);
          if (plan.mode !== 'prove') continue;
          for (const fault of one.faults.filter((fault) => holdsIn(fault, api))) registerOne(session, one, api, fault);
        }
      });
    }
  };
  describe.concurrent('checks', () => register(chosen.filter(({ exclusive, last }) => !exclusive && !last)));
  describe.sequential('exclusive checks', () => register(chosen.filter(({ exclusive }) => exclusive)));
  describe.concurrent('checks of the whole run', () => register(chosen.filter(({ last }) => last)));
  if (witnesses) registerProof({ session, witnesses, checks: chosen, faults, apis: plan.apis, isTried });
}

/** A proof tries a rule in the documented versions, and one that a carried version brought in that version. */
function isProvenIn({ since }: Rule, api: ApiVersion): boolean {
  return isDocumented(api) || since === api;
}

/** So that nobody waits for a check that was begun last. */
function longFirst(checks: readonly Check[]): readonly Check[] {
  const isLong = ({ long, rule }: Check) => long === true || rule.kind === 'property';
  return [...checks.filter(isLong), ...checks.filter((one) => !isLong(one))];
}

function registerOne(session: Session, { rule, ...check }: Check, api: ApiVersion, fault: Fault | undefined): void {
  const title = `${rule.id}: ${rule.says}${fault ? ` [${fault.name}]` : ''}`;
  const meta = { rule: rule.id, api, ...(fault && { fault: fault.name }) };
  // How long generated tests go on is bounded by themselves.
  const timeout = rule.kind === 'property' ? { timeout: 0 } : {};
  test(title, { meta, ...timeout }, async ({ task }) => {
    task.meta.begun = true;
    task.meta.result = await session.run({ rule, ...check }, api, fault);
    const death = session.takeDeath();
    if (death !== undefined) task.meta.death = death;
    if (session.lost !== undefined) task.meta.lost = session.lost;
  });
}
