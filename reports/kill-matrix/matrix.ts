import type { Proof } from '../../harness/runner/prove.ts';
import { isRuleId, rulebook } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Kind, Rule } from '../../specs/rule.ts';
import type { Level } from '../../specs/statement.ts';

/** The format version of the file, incremented when something in it changes its meaning or is removed. */
const format = 1;

/** A rule of the matrix: whether its check was shown to fail, under what, and why not. */
export interface MatrixRule {
  readonly rule: string;
  readonly area: string;
  readonly kind: Kind;
  readonly level: Level;
  readonly endpoint?: string;
  readonly proven: boolean;
  readonly faults: readonly string[];
  readonly reasons: readonly string[];
}

interface Tool {
  readonly name: string;
  readonly version: string;
}

/** What `prove --matrix` writes. */
export interface KillMatrix extends Pick<Proof, 'trials' | 'refusals'> {
  readonly format: typeof format;
  readonly tool: Tool;
  readonly rules: readonly MatrixRule[];
  /** Each fault once, with its effect on the other rules of its endpoint. */
  readonly faults: Proof['others'];
}

export function killMatrix({ trials, proven, unproven, refusals, others }: Proof, tool: Tool): KillMatrix {
  const faultsOf = new Map<string, Set<string>>();
  for (const { rule, fault } of trials) faultsOf.set(rule, (faultsOf.get(rule) ?? new Set()).add(fault));
  const reasonsOf = new Map(unproven.map(({ rule, reasons }) => [rule, reasons]));
  const rules = [...proven, ...reasonsOf.keys()].filter(isRuleId).map((id): MatrixRule => {
    const { area, kind, level, endpoint }: Rule = rulebook[id];
    return {
      ...{ rule: id, area, kind, level, ...(endpoint && { endpoint: endpointTitle(endpoint) }) },
      proven: !reasonsOf.has(id),
      faults: [...(faultsOf.get(id) ?? [])],
      reasons: reasonsOf.get(id) ?? [],
    };
  });
  return { format, tool, rules, faults: others, trials, refusals };
}
