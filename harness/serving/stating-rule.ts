import { statedRules } from '../../specs/catalogue.ts';
import type { Endpoint } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';

/**
 * The rule by which it is told that an endpoint is not served: the one that states what it answers to a request that
 * succeeds; where none does, the first that must hold. It is the same whichever rules are chosen.
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
