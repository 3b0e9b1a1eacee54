import { allRules } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import { type Deviation, deviationsOf } from './deviations.ts';
import { factsOf } from './rule-facts.ts';
import type { RunRecord } from './run-record.ts';
import { overall } from './summary.ts';
import { visible, visibleLine } from './visible.ts';

/** GitHub shows at most ten annotations of each kind per step. */
const most = 10;

/** Workflow commands that make GitHub annotate a job: an error or warning for each deviation, up to a limit. */
export function annotationsOf(record: RunRecord, rules: readonly Rule[] = allRules): string[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const deviations = deviationsOf(record.results);
  // The last one is reserved for the outcome, since a run can end badly without any deviation.
  const shown = deviations.slice(0, most - 1).map((one) => annotation(one, byId.get(one.result.rule)));
  const { verdict, says } = overall(record);
  if (verdict === 'conforms' || verdict === 'waived') return shown;
  const rest = deviations.length - shown.length;
  const more = rest > 0 ? ` ${rest} more are in the summary and the report.` : '';
  return [...shown, command('error', 'Conformance', `${says}${more}`)];
}

function annotation({ gravity, apis, result }: Deviation, rule: Rule | undefined): string {
  const { says, source } = factsOf(result.rule, rule);
  const lines = [[result.endpoint, says].filter(Boolean).join(' ')];
  if (gravity === 'blocked' || gravity === 'error') lines.push(`${gravity}: ${cut(result.reason)}`);
  else lines.push(`expected: ${cut(result.expected)}`, `actual: ${cut(result.actual)}`);
  if (source) lines.push(source);
  const title = `${result.rule} [${apis.join(', ')}]`;
  return command(gravity === 'should' ? 'warning' : 'error', title, lines.join('\n'));
}

function cut(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)} …` : text;
}

/** What a daemon sent cannot start another command: line ends and per cent signs are escaped. */
function command(name: 'error' | 'warning', title: string, message: string): string {
  const property = escaped(visibleLine(title)).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${name} title=${property}::${escaped(visible(message))}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
