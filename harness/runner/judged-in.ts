import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn, isDocumented } from '../../specs/versions.ts';

/**
 * The versions in which a run judges a rule: all in which it holds or, in a run that judges each rule once, the newest
 * documented one, and for a rule that a carried version introduced the first.
 */
export function judgedIn(
  rule: Rule,
  { apis, inOneVersion = false }: { readonly apis: readonly ApiVersion[]; readonly inOneVersion?: boolean },
): readonly ApiVersion[] {
  const holding = apis.filter((api) => holdsIn(rule, api));
  if (!inOneVersion) return holding;
  return [holding.findLast(isDocumented) ?? holding[0]].flatMap((api) => api ?? []);
}
