import { issueText } from './issue-text.js';
import { evidenceOf, report, scriptOf } from './model.js';

/** A cause as an issue in Markdown. */
export function issueOf(cause) {
  const { rule, api } = cause.shownBy;
  const shown = report.rules.find(({ id }) => id === rule);
  const result = shown?.results[api];
  const rules = cause.rules.map((own) => ({
    ...own,
    says: report.rules.find(({ id }) => id === own.rule)?.says ?? '',
  }));
  return issueText({ ...facts(cause.says, cause.apis), rules, ...(result && { example: example(shown, result) }) });
}

/** One failure as an issue in Markdown. */
export function issueOfFailure(rule, result) {
  const says = `${rule.endpoint ?? rule.area} ${rule.says}`;
  return issueText({ ...facts(`Not kept: ${says}`, [result.api]), example: example(rule, result) });
}

function facts(says, apis) {
  const { target, tool, seed } = report;
  return { says, apis, target, tool, seed };
}

function example(rule, result) {
  const { api, level, expected, actual, reason } = result;
  return {
    ...{ rule: rule.id, api, level, expected, actual, reason },
    ...{ says: rule.says, source: rule.source },
    ...{ exchange: evidenceOf(result).at(-1), script: scriptOf(rule, result)?.script },
  };
}
