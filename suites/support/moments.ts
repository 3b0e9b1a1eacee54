import type { Exchange } from '../../harness/engine/exchange.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';

/** What two members that tell one moment may be apart, in seconds: only another unit or another clock is further off. */
const apartS = 60;

/**
 * That a member in UNIX seconds tells the moment that a timestamp of the daemon tells as well. The daemon is held against
 * itself, as its clock need not be that of the host of the suite.
 * @throws Blocked when there is no timestamp to hold it against
 */
export function expectSeconds(
  what: string,
  seconds: JsonValue | undefined,
  timestamp: JsonValue | undefined,
  evidence: readonly Exchange[],
): void {
  const moment = Date.parse(String(timestamp)) / 1_000;
  if (Number.isNaN(moment)) throw new Blocked('the daemon gave no timestamp of the same moment');
  expectValue(what, seconds, evidence).toSatisfy(
    `the UNIX seconds of ${String(timestamp)}`,
    (value) => typeof value === 'number' && Math.abs(value - moment) <= apartS,
  );
}
