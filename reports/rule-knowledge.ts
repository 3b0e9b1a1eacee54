import type { Rule } from '../specs/rule.ts';

/** What is known about a rule besides its statement: the same as `explain` tells, in the same words. */
export interface RuleKnowledge {
  /** Frequent causes of such a deviation, most likely first. */
  readonly often: readonly string[];
  /** Reviewed engines that deviate, each in a line. */
  readonly seen: readonly string[];
  /** Clients that use the endpoint, each with its commands. */
  readonly clients: readonly string[];
  /** What commands of clients did on a daemon that broke the rule. */
  readonly trips: readonly string[];
}

/** Looks up what is known about a rule. The command line knows; a report only shows it. */
export type KnowRule = (rule: Rule) => RuleKnowledge;
