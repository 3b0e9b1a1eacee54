import type { Result } from '../harness/events.ts';
import { grouped } from './grouped.ts';

/** The one thing whose mending would settle most rules. */
export interface NextToFix {
  /** `what blocks 57 rules`, with where it is seen. */
  readonly says: string;
  /** What went wrong there, in the words of the run; may hold what the daemon sent. */
  readonly detail: string;
}

/**
 * What to mend first: what blocks most rules, since nothing is known of these; when nothing is blocked, the endpoint at
 * which most rules fail. Undefined when neither is more than one rule.
 */
export function nextToFix(results: readonly Result[]): NextToFix | undefined {
  const blocked = largest(results.filter(isBlockedByTarget), ({ reason }) => reason);
  if (blocked && blocked.rules > 1) {
    const at = largest(blocked.results, ({ endpoint }) => endpoint ?? '')?.key;
    const where = at ? `, as at ${at}` : '';
    return { says: `what blocks ${blocked.rules} rules${where}`, detail: blocked.key };
  }
  const failed = results.filter(({ verdict, endpoint }) => verdict === 'fail' && endpoint !== undefined);
  const endpoint = largest(failed, (result) => result.endpoint ?? '');
  if (!endpoint || endpoint.rules < 2) return undefined;
  return { says: `${endpoint.key}, at which ${endpoint.rules} rules fail`, detail: '' };
}

/** A rule that was not reached because the run ended is not blocked by anything that could be mended. */
function isBlockedByTarget({ verdict, evidence }: Result): boolean {
  return verdict === 'blocked' && evidence.length > 0;
}

interface Group {
  readonly key: string;
  readonly rules: number;
  readonly results: readonly Result[];
}

function largest(results: readonly Result[], keyOf: (result: Result) => string): Group | undefined {
  const counted = [...grouped(results, keyOf)].map(([key, own]) => ({
    key,
    rules: new Set(own.map(({ rule }) => rule)).size,
    results: own,
  }));
  return counted.toSorted((a, b) => b.rules - a.rules)[0];
}
