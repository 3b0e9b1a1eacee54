import type { Fault } from '../../harness/faults/fault.ts';
import { faultyTransport, requestMatcher } from '../../harness/faults/faulty-transport.ts';
import type { Transport, WireRequest } from '../../harness/transport/wire.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn, isApiVersion } from '../../specs/versions.ts';
import { checksOf } from '../checks.ts';
import { ruleOf } from '../selection.ts';

/** A rule that a served engine breaks on purpose, by a fault of its check. */
export interface ServedFault {
  readonly rule: Rule;
  readonly fault: Fault;
  /** The endpoint whose requests it concerns: `METHOD /path`. */
  readonly endpoint: string;
}

/**
 * The fault that a user requests: `RULE` is the first that its check declares, `RULE#2` the second.
 * @throws UsageError (as a rejection) if there is none, or if it is not a fault of the engine
 */
export async function servedFault(asked: string): Promise<ServedFault> {
  const [, id = asked, number = '1'] = /^(.*)#(\d+)$/.exec(asked) ?? [];
  const rule = ruleOf(id);
  const faults = (await checksOf([rule])).get(id)?.faults ?? [];
  if (rule.endpoint?.server === 'authorization') {
    throw new UsageError(`--fault breaks rules of the engine, but ${id} is a rule of the token server`);
  }
  const fault = faults[Number(number) - 1];
  if (!fault) {
    const known = faults.map(({ name }, place) => `${id}#${place + 1} ${name}`).join('; ');
    throw new UsageError(
      known ? `there is no fault ${asked}; the faults are: ${known}` : `the check of ${id} declares no fault`,
    );
  }
  const endpoint = fault.on ?? (rule.endpoint && endpointTitle(rule.endpoint));
  const isOfAnswers = [fault.request, fault.answer, fault.head, fault.incoming, fault.outgoing].some(Boolean);
  if (endpoint === undefined || !isOfAnswers) {
    throw new UsageError(`the fault of ${id} cannot be served: '${fault.name}' does not show in an answer to a client`);
  }
  return { rule, fault, endpoint };
}

/**
 * Whether a fault concerns a request: one of its endpoint, in a version that has the rule.
 * @param newest the version of requests without one
 */
export function concerns({ rule, fault, endpoint }: ServedFault, newest: ApiVersion) {
  const matches = requestMatcher(endpoint);
  return (request: Pick<WireRequest, 'method' | 'path'>): boolean => {
    const [, named = newest] = /^\/v([\d.]+)\//.exec(request.path) ?? [];
    return matches(request) && isApiVersion(named) && holdsIn(rule, named) && holdsIn(fault, named);
  };
}

/** A transport that makes the engine break the rule, where the rule holds. */
export function breaking(transport: Transport, served: ServedFault, newest: ApiVersion): Transport {
  const faulty = faultyTransport(transport, served.fault, served.endpoint);
  const applies = concerns(served, newest);
  return {
    exchange: (request, bounds) => (applies(request) ? faulty : transport).exchange(request, bounds),
    open: (request, bounds) => (applies(request) ? faulty : transport).open(request, bounds),
    connect: () => transport.connect(),
    close: () => transport.close(),
  };
}
