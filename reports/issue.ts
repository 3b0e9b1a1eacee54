import type { Result } from '../harness/events.ts';
import type { Rule } from '../specs/rule.ts';
import { issueText } from './issue-text.ts';
import { factsOf } from './rule-facts.ts';
import { ruleLine } from './rule-line.ts';
import type { RunRecord } from './run-record.ts';

/**
 * One failure as an issue in Markdown, ready to paste; the page copies the same text.
 * @param script reproduces the failure; absent if there is none
 */
export async function issueOfFailure(
  record: RunRecord,
  result: Result,
  { rule, script }: { readonly rule: Rule; readonly script?: string },
): Promise<string> {
  const { target, tool, seed } = record.started;
  const { says, source } = factsOf(result.rule, rule);
  const { api, level, expected, actual, reason, evidence } = result;
  const last = evidence.at(-1);
  const exchange = last === undefined ? undefined : await record.started.exchange?.(last);
  return issueText({
    says: `Not kept: ${ruleLine(result, says)}`,
    ...{ target, tool, seed, apis: [api] },
    example: {
      ...{ rule: result.rule, api, level, expected, actual, reason, says },
      ...(source !== undefined && { source }),
      ...(exchange && { exchange }),
      ...(script !== undefined && { script }),
    },
  });
}
