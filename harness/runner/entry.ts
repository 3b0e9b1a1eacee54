import { afterAll, describe, inject, type TestOptions, test } from 'vitest';
import { holdsIn } from '../../specs/versions.ts';
import type { Check } from '../check.ts';
import { allChecks } from '../check.ts';
import type { Result } from '../events.ts';
import type { Fault } from '../faults/fault.ts';
import { Session } from './session.ts';
import '../../suites/index.ts';

/** What a test of the run carries to the reporter. Small: what is large goes to the spill file. */
declare module 'vitest' {
  interface TaskMeta {
    result?: Result;
    /** The fault under which the check ran, when the run proves checks. */
    fault?: string;
    lost?: string;
  }
}

const plan = inject('plan');
const session = new Session(plan);
const chosen = plan.rules.flatMap((id) => allChecks().get(id) ?? []);

afterAll(() => session.close());

describe.concurrent('checks', () => register(chosen.filter(({ exclusive }) => !exclusive)));
describe.sequential('exclusive checks', () => register(chosen.filter(({ exclusive }) => exclusive)));

function register(checks: readonly Check[]): void {
  for (const api of plan.apis) {
    describe(api, () => {
      for (const one of checks.filter(({ rule }) => holdsIn(rule, api))) {
        for (const fault of plan.mode === 'prove' ? [undefined, ...one.faults] : [undefined])
          registerOne(one, api, fault);
      }
    });
  }
}

function registerOne(one: Check, api: (typeof plan.apis)[number], fault: Fault | undefined): void {
  const options: TestOptions = {};
  test(`${one.rule.id}: ${one.rule.says}${fault ? ` [${fault.name}]` : ''}`, options, async ({ task }) => {
    task.meta.result = await session.run(one, api, fault);
    if (fault) task.meta.fault = fault.name;
    if (session.lost !== undefined) task.meta.lost = session.lost;
  });
}
