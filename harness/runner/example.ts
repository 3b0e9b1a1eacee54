import type { ApiVersion } from '../../specs/versions.ts';
import type { Check } from '../check.ts';
import type { RecordedExchange, Result } from '../events.ts';
import type { RunOptions } from './options.ts';
import { Session } from './session.ts';
import { SpillIndex } from './spill.ts';
import { setStage } from './stage.ts';

/** A verdict with the exchange that decided it. */
export interface Shown {
  readonly result: Result;
  /** Absent when the check ended before it had any. */
  readonly exchange?: RecordedExchange;
}

/** How a check's rule is kept, and how it is broken. */
export interface Example {
  /** On the daemon as it is. */
  readonly kept: Shown;
  /** Under the first of its faults that makes it fail; absent when there is none. */
  readonly broken?: Shown & { readonly fault: string };
}

/**
 * Runs one check on a target with and without its faults, in this process and without a runner, and returns the
 * exchanges that decided.
 * @param boundMs the time after which a check ends as `blocked`
 * @throws TargetUnreachable when nothing answers there
 */
export async function exampleOf(check: Check, api: ApiVersion, options: RunOptions, boundMs: number): Promise<Example> {
  const stage = await setStage(options);
  try {
    const plan = stage.plan('prove', [check.rule.id]);
    const session = new Session(plan);
    const bound = setTimeout(() => session.endEarly(), boundMs);
    const { kept, broken } = await results(session, check, api).finally(() => {
      clearTimeout(bound);
      return session.close();
    });
    // Live exchanges are written when they end, or with the session at the latest.
    const index = new SpillIndex(plan.spillFile);
    const shown = async (result: Result): Promise<Shown> => {
      const id = result.evidence.at(-1);
      const exchange = id === undefined ? undefined : await index.read(id);
      return { result, ...(exchange && { exchange }) };
    };
    return {
      kept: await shown(kept),
      ...(broken && { broken: { ...(await shown(broken.result)), fault: broken.fault.name } }),
    };
  } finally {
    await stage.clean();
    await stage.close();
  }
}

async function results(session: Session, check: Check, api: ApiVersion) {
  const kept = await session.run(check, api);
  for (const fault of check.faults) {
    const result = await session.run(check, api, fault);
    if (result.verdict === 'fail') return { kept, broken: { result, fault } };
  }
  return { kept };
}
