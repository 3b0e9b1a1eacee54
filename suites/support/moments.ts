import type { Exchange } from '../../harness/engine/exchange.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';

/**
 * How far apart, in seconds, two members for the same moment may be: only another unit or another clock differs by
 * more.
 */
const apartS = 60;

/**
 * Judges that a member in Unix seconds gives the same moment as a timestamp of the daemon. The daemon is compared with
 * itself, as its clock may differ from that of the suite's host.
 * @throws Blocked when there is no timestamp to compare with
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
