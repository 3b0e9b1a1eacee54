import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn, isDocumented } from '../../specs/versions.ts';

/** The versions of a run. */
interface Versions {
  readonly apis: readonly ApiVersion[];
  /** Those of them that the target serves; absent: all. */
  readonly serves?: readonly ApiVersion[];
  readonly inOneVersion?: boolean;
}

/**
 * The versions in which a run judges a rule: all in which it holds or, in a run that judges each rule once, the newest
 * documented one that the target serves, and for a rule that a carried version introduced the first.
 */
export function judgedIn(rule: Rule, { apis, serves = apis, inOneVersion = false }: Versions): readonly ApiVersion[] {
  const holding = apis.filter((api) => holdsIn(rule, api));
  if (!inOneVersion) return holding;
  const served = holding.filter((api) => serves.includes(api));
  const among = served.length > 0 ? served : holding;
  return [among.findLast(isDocumented) ?? among[0]].flatMap((api) => api ?? []);
}
