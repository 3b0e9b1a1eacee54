import { endpointTitle } from '../../specs/endpoint.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import type { Check } from '../check.ts';
import type { Fault } from '../faults/fault.ts';

/** One deviation of a daemon, whichever checks name it. */
export interface DistinctFault {
  /** What the faulty daemon does, in words. */
  readonly name: string;
  /** The requests it applies to: 'METHOD /path/{with}/braces'. */
  readonly endpoint: string;
  readonly fault: Fault;
  /** The rules whose checks name it. */
  readonly of: readonly string[];
  /** The newest version in which one of them is judged. */
  readonly api: ApiVersion;
}

/** All faults without duplicates. Faults with the same description on the same requests are the same. */
export function distinctFaults(checks: readonly Check[], apis: readonly ApiVersion[]): DistinctFault[] {
  const known = new Map<string, DistinctFault>();
  for (const { rule, faults } of checks) {
    for (const fault of faults) {
      const api = apis.findLast((one) => holdsIn(rule, one) && holdsIn(fault, one));
      if (api === undefined) continue;
      const endpoint = fault.on ?? (rule.endpoint ? endpointTitle(rule.endpoint) : '');
      const key = `${endpoint} ${fault.name}`;
      const { of = [], ...before } = known.get(key) ?? { name: fault.name, endpoint, fault, api };
      const newest = apis.indexOf(api) > apis.indexOf(before.api) ? api : before.api;
      known.set(key, { ...before, of: [...of, rule.id], api: newest });
    }
  }
  return [...known.values()];
}
