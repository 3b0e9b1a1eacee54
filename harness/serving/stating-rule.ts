import { statedRules } from '../../specs/catalogue.ts';
import type { Endpoint } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';

/**
 * The rule that reports that an endpoint is not served: the one that states the answer to a successful request; if
 * there is none, the first `must` rule. It does not depend on which rules are chosen.
 */
export function statingRule(endpoint: Endpoint, api: ApiVersion): Rule | undefined {
  const must = statedRules.filter(
    (rule) => rule.endpoint === endpoint && rule.level === 'must' && rule.unchecked === undefined && holdsIn(rule, api),
  );
  return (
    must.find(({ id }) => /\.answers-[123]\d\d(?:-\d\.\d+)?$/.test(id)) ??
    must.find(({ id }) => !/-[45]\d\d(?:-\d\.\d+)?$/.test(id))
  );
}
