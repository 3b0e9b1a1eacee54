import { endpointTitle } from '../specs/endpoint.ts';
import { interpretations } from '../specs/interpretations.ts';
import type { Rule } from '../specs/rule.ts';
import type { Level, Source } from '../specs/statement.ts';

/** What a reader wants to know about a rule besides its verdict. */
export interface RuleFacts {
  /** The rule's sentence; the id of a rule that the catalogue does not know. */
  readonly says: string;
  readonly level?: Level;
  readonly endpoint?: string;
  /** `Document 2, Stop a container`. */
  readonly source?: string;
  readonly interpretations: readonly { readonly id: string; readonly place: string; readonly reading: string }[];
}

/** The facts of the rule with this id. */
export function factsOf(id: string, rule: Rule | undefined): RuleFacts {
  if (!rule) return { says: id, interpretations: [] };
  return {
    says: rule.says,
    level: rule.level,
    ...(rule.endpoint && { endpoint: endpointTitle(rule.endpoint) }),
    source: sourceTitle(rule.source),
    interpretations: rule.interpretations.map((name) => ({ id: name, ...interpretations[name] })),
  };
}

/** The place of a statement in words. */
function sourceTitle([document, section]: Source): string {
  return `Document ${document}, ${section}`;
}
