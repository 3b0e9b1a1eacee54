import { afterAll, describe, test } from '@vitest/runner';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn, isDocumented } from '../../specs/versions.ts';
import { allChecks, type Check } from '../check.ts';
import type { Result } from '../events.ts';
import type { Fault } from '../faults/fault.ts';
import { distinctFaults } from './distinct-faults.ts';
import { Ends } from './ends.ts';
import { FixtureUsers, type RecordedUsers, type User } from './fixture-users.ts';
import { judgedIn } from './judged-in.ts';
import type { OthersTried, RefusalTried } from './matrix-trials.ts';
import type { Places } from './places.ts';
import type { Plan } from './plan.ts';
import { type Running, registerOthers, registerRefusals } from './register-proof.ts';
import { Session } from './session.ts';
import { stagesOf } from './stages.ts';
import type { Turns } from './turns.ts';
import { Witnesses } from './witness.ts';

/** What a test tells of itself. */
declare module '@vitest/runner' {
  interface TaskMeta {
    rule?: string;
    api?: ApiVersion;
    /** Set when the check starts, to distinguish one that was interrupted from one that was not reached. */
    begun?: boolean;
    result?: Result;
    /** The fault under which the check ran, when the run proves checks. */
    fault?: string;
    lost?: string;
    /** Its number among the `Turns` of the run. */
    turn?: number;
    /** How the target died, if it came back during this check or a concurrent one. */
    death?: string;
    /** Of a proof: the effect of a fault on other checks, and the outcome of a check where everything is refused. */
    others?: OthersTried;
    refusals?: readonly RefusalTried[];
  }
}

/** Measurements of earlier runs. They only affect the order and timing of the checks. */
export interface Measured {
  /** How long checks took on a real daemon, where that was seconds, by rule. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly users: RecordedUsers;
}

/**
 * A check that runs longer is a defect of the kit: every exchange has a tighter bound of its own, but some checks have
 * hundreds of exchanges, which take minutes on a slow daemon. A test also waits for its place.
 */
const checkMs = 30 * 60_000;

/**
 * Long checks mostly wait, so they lend their places while no more checks than this run. What waits in vain under a fault
 * has a daemon of its own, and does not count the others.
 */
const mostWithLong = 24;

/**
 * Registers one test for each check of the plan and version. To be called after their suites were imported.
 * @param settings where the checks run and what they wait for, and a signal that is aborted when the user ends the run
 * @param measured absent when there are no measurements
 */
export function registerChecks(
  plan: Plan,
  { places, turns, ending }: { readonly places: Places; readonly turns: Turns; readonly ending: AbortSignal },
  measured?: Measured,
): void {
  const checks = plan.rules.flatMap((id) => allChecks().get(id) ?? []);
  const chosen = plan.inOrder ? checks : longFirst(checks, measured?.seconds);
  const faults =
    plan.mode === 'prove' && plan.others
      ? distinctFaults(chosen, plan.whereChanged ? plan.apis.filter(isDocumented) : plan.apis)
      : [];
  const witnesses = plan.mode === 'prove' ? new Witnesses(faults) : undefined;
  const versionsOf = plan.mode === 'prove' ? provenIn : judgedIn;
  const tried = new Map(chosen.map(({ rule }) => [rule.id, versionsOf(rule, plan)]));
  const users = measured && new FixtureUsers(measured.users, usersIn(tried));
  const session = new Session(plan, { witnesses, users, places });
  ending.addEventListener('abort', () => session.endEarly(), { once: true });
  if (ending.aborted) session.endEarly();
  afterAll(() => session.close());
  const triedIn = ({ id }: Rule) => tried.get(id) ?? [];
  const running = { session, places, turns };
  const ends = new Ends();
  const register = (checks: readonly Check[], whenMay = atOnce) => {
    for (const api of plan.apis) {
      describe(api, () => {
        for (const one of checks.filter(({ rule }) => triedIn(rule).includes(api))) {
          const mayBegin = () => whenMay(one.rule, api);
          ends.add(one.rule.id, api, registerOne(running, one, api, { mayBegin }));
          if (plan.mode !== 'prove') continue;
          for (const fault of one.faults.filter((fault) => holdsIn(fault, api)))
            void registerOne(running, one, api, { mayBegin, fault });
        }
      });
    }
  };
  if (plan.inOrder) {
    describe.concurrent('checks', () => register(chosen));
    return;
  }

  const stages = stagesOf(chosen, plan.mode);
  describe.concurrent('checks', () => {
    register(stages.long);
    if (!witnesses) {
      register(stages.others);
      // A property leaves out what checks have found broken, so it waits for them. It does not wait for long ones, which
      // mostly wait for time to pass, unless it decides their rules.
      let ofOthers: Promise<void> | undefined;
      register(stages.generated, async ({ decides = [] }, api) => {
        ofOthers ??= ends.ofAll(stages.others, plan.apis);
        await ofOthers;
        for (const rule of decides) await ends.of(rule, api);
      });
      return;
    }
    // In a proof each trial has a daemon of its own. Under their faults many checks wait long for what never comes, so all
    // is tried at once, and properties, which then look for the smallest counterexample, before the others.
    register(stages.generated);
    register(stages.others);
    const checks = [...stages.long, ...stages.others];
    registerRefusals({ ...running, witnesses, checks, triedIn, isOver: ({ rule }, api) => ends.of(rule.id, api) });
  });
  describe.sequential('exclusive checks', () => register(stages.exclusive));
  describe.sequential('exclusive generated tests', () => register(stages.exclusiveGenerated));
  // vitest runs concurrent neighbours as one group, so nested ones are concurrent only among themselves.
  describe.sequential('hostile tests', () => {
    describe.concurrent('at once', () => register(stages.hostile));
  });
  describe.concurrent('checks of the whole run', () => register(stages.last));
  if (witnesses) registerOthers({ ...running, witnesses, checks: chosen, faults });
}

const atOnce = async (_rule: Rule, _api: ApiVersion): Promise<void> => {};

/** With `whereChanged` a proof tries a rule in the documented versions, and one of a later version where it is new. */
function provenIn(rule: Rule, { apis, whereChanged }: Plan): readonly ApiVersion[] {
  const isTried = (api: ApiVersion) => !whereChanged || isDocumented(api) || rule.since === api;
  return apis.filter((api) => holdsIn(rule, api) && isTried(api));
}

function usersIn(tried: ReadonlyMap<string, readonly ApiVersion[]>): readonly User[] {
  return [...tried].flatMap(([rule, apis]) => apis.map((api) => ({ rule, api })));
}

/**
 * So that nobody waits for a check that started last: first those that are known to take long, the longest first, and
 * among those without measurements the ones declared long.
 */
export function longFirst(checks: readonly Check[], seconds: Measured['seconds'] = {}): readonly Check[] {
  const unmeasured = 10;
  const secondsOf = ({ long, rule }: Check) => {
    const isLong = long === true || rule.kind === 'property';
    return Object.hasOwn(seconds, rule.id) ? (seconds[rule.id] ?? 0) : isLong ? unmeasured : 0;
  };
  return checks.toSorted((one, other) => secondsOf(other) - secondsOf(one));
}

/**
 * @param mayBegin what it waits for before it takes a place
 * @returns is fulfilled when the check is over
 */
function registerOne(
  { session, places, turns }: Running,
  { rule, ...check }: Check,
  api: ApiVersion,
  { mayBegin, fault }: { readonly mayBegin: () => Promise<void>; readonly fault?: Fault },
): Promise<void> {
  const title = `${rule.id}: ${rule.says}${fault ? ` [${fault.name}]` : ''}`;
  const turn = turns.add(async () => {
    await mayBegin();
    await places.enter();
  });
  const meta = { rule: rule.id, api, turn, ...(fault && { fault: fault.name }) };
  // Generated tests limit their own time.
  const mostMs = rule.kind === 'property' ? Number.POSITIVE_INFINITY : checkMs;
  return new Promise((isOver) => {
    test(title, { meta }, async ({ task }) => {
      await places
        .inside(mostMs, async () => {
          task.meta.begun = true;
          const run = () => session.run({ rule, ...check }, api, fault);
          const isInVain = fault !== undefined && check.slowToFail === true;
          const mostlyWaits = isInVain || check.long === true;
          task.meta.result = await (mostlyWaits ? places.lentDuring(run, isInVain ? undefined : mostWithLong) : run());
          const death = session.takeDeath();
          if (death !== undefined) task.meta.death = death;
          if (session.lost !== undefined) task.meta.lost = session.lost;
        })
        .finally(isOver);
    });
  });
}
