import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Result, Verdict } from '../events.ts';

/** A result without measurements or comparisons. */
export function plainResult(rule: Rule, api: ApiVersion, verdict: Verdict, reason: string): Result {
  return {
    rule: rule.id,
    api,
    verdict,
    level: rule.level,
    kind: rule.kind,
    area: rule.area,
    ...(rule.endpoint && { endpoint: endpointTitle(rule.endpoint) }),
    reason,
    expected: '',
    actual: '',
    evidence: [],
    assertions: 0,
    durationMs: 0,
  };
}
