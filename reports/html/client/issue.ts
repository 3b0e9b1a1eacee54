import { type Issue, type IssueExample, issueText } from '../../issue-text.ts';
import { ruleLine } from '../../rule-line.ts';
import type { PageCause, PageResult, PageRule } from '../data.ts';
import { evidenceOf, report, scriptOf } from './model.ts';

/** A cause as an issue in Markdown. */
export function issueOf(cause: PageCause): string {
  const { rule, api } = cause.shownBy;
  const shown = report.rules.find(({ id }) => id === rule);
  const result = shown?.results[api];
  const rules = cause.rules.map((own) => ({
    ...own,
    says: report.rules.find(({ id }) => id === own.rule)?.says ?? '',
  }));
  return issueText({
    ...facts(cause.says, cause.apis),
    rules,
    ...(shown && result && { example: example(shown, result) }),
  });
}

/** One failure as an issue in Markdown; it is the same in all these versions. */
export function issueOfFailure(rule: PageRule, result: PageResult, apis: readonly string[]): string {
  return issueText({ ...facts(`Not kept: ${ruleLine(rule, rule.says)}`, apis), example: example(rule, result) });
}

function facts(says: string, apis: readonly string[]): Issue {
  const { target, tool, seed } = report;
  return { says, apis, target, tool, seed };
}

function example(rule: PageRule, result: PageResult): IssueExample {
  const { api, level, expected, actual, reason } = result;
  const exchange = evidenceOf(result).at(-1);
  const repro = scriptOf(rule, result);
  return {
    ...{ rule: rule.id, api, level, expected, actual, reason },
    says: rule.says,
    ...(rule.source !== undefined && { source: rule.source }),
    ...(exchange && { exchange }),
    ...(repro && 'script' in repro && { script: repro.script }),
  };
}
