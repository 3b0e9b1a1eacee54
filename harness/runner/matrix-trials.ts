import { endpointTitle } from '../../specs/endpoint.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import type { Check } from '../check.ts';
import type { Verdict } from '../events.ts';
import { refusesAll } from '../faults/answers.ts';
import { onRequests } from '../faults/fault.ts';
import type { DistinctFault } from './distinct-faults.ts';
import type { Session } from './session.ts';
import type { Refusal, Witnesses } from './witness.ts';

/** The effect of a fault on other checks of its endpoint. */
export interface OthersTried {
  readonly fault: string;
  readonly endpoint: string;
  readonly api: ApiVersion;
  readonly of: readonly string[];
  /** The number of other checks of the endpoint in this version. */
  readonly others: number;
  /** How many of them exchange something that the fault changes. */
  readonly touched: number;
  /** How many of these were run under the fault. */
  readonly tried: number;
  /** The rules that failed, and those that were blocked. */
  readonly reddens: readonly string[];
  readonly blocks: readonly string[];
}

/**
 * The verdict of a check on a daemon that refuses everything in the way in which it rightly refused the check before.
 */
export interface RefusalTried extends Refusal {
  readonly rule: string;
  readonly api: ApiVersion;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** For each fault; more than a hundred are tried at once. With four, what all of them keep does not fit into the thread. */
const atOnce = 2;
/** More of them would take as long as the rest of a proof. */
const mostTried = 4;

/** Runs the other checks of a fault's endpoint under the fault. */
export async function tryOthers(
  session: Session,
  witnesses: Witnesses,
  checks: readonly Check[],
  distinct: DistinctFault,
): Promise<OthersTried> {
  const { name, endpoint, fault, api, of } = distinct;
  const others = checks.filter(
    ({ rule, exclusive }) =>
      rule.endpoint !== undefined &&
      endpointTitle(rule.endpoint) === endpoint &&
      rule.level !== 'observe' &&
      rule.kind !== 'property' &&
      holdsIn(rule, api) &&
      !exclusive &&
      !of.includes(rule.id),
  );
  const touched = others.filter((check) => witnesses.isTouched(check, distinct));
  const found: Record<'fail' | 'blocked', string[]> = { fail: [], blocked: [] };
  const chosen = spread(touched, mostTried, of[0] ?? '');
  const [first] = chosen;
  if (first) {
    const under = session.under(fault, first, api);
    const waiting = [...chosen];
    const work = async () => {
      for (let check = waiting.shift(); check; check = waiting.shift()) {
        const { rule, verdict } = await under.run(check);
        if (verdict === 'fail' || verdict === 'blocked') found[verdict].push(rule);
      }
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, work));
    } finally {
      await under.end();
    }
  }
  return {
    fault: name,
    endpoint,
    api,
    of,
    others: others.length,
    touched: touched.length,
    tried: chosen.length,
    reddens: found.fail.toSorted(),
    blocks: found.blocked.toSorted(),
  };
}

/** Some items of a list, evenly distributed; which ones depends on the key, so that they differ between lists. */
function spread<T>(list: readonly T[], most: number, key: string): readonly T[] {
  if (list.length <= most) return list;
  const first = [...key].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % list.length, 0);
  const places = Array.from({ length: most }, (_, at) => (first + Math.floor((at * list.length) / most)) % list.length);
  return places.flatMap((place) => list[place] ?? []);
}

/**
 * Runs a check again for each refusal that it met, on a daemon that refuses everything at that endpoint in the same
 * way: there the refusal proves nothing, and the check must not pass.
 */
export async function tryRefusals(
  session: Session,
  witnesses: Witnesses,
  check: Check,
  api: ApiVersion,
): Promise<RefusalTried[]> {
  const tried: RefusalTried[] = [];
  for (const refusal of witnesses.refusalsOf(check, api)) {
    const { verdict, reason } = await session.run(check, api, onRequests(refusal.endpoint, refusesAll(refusal.status)));
    tried.push({ ...refusal, rule: check.rule.id, api, verdict, reason });
  }
  return tried;
}
