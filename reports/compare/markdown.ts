import { apiVersions } from '../../specs/versions.ts';
import { grouped } from '../grouped.ts';
import { countColumns } from '../markdown.ts';
import { codeSpan, plainText, sentence, table } from '../markdown-text.ts';
import type { Counts } from '../summary.ts';
import { type Change, type ChangeKind, changeKinds, type Outcome } from './change.ts';
import type { Comparison, Row, Step } from './compare.ts';
import { changeTitles, countInWords, isAlike } from './words.ts';

/** Changes of one kind that are told one by one; the page and the JSON have them all. */
const told = 50;
/** Rules in the matrix. */
const rows = 300;

/**
 * A comparison on a page of Markdown: the reports, the areas, what changed, what was observed otherwise, and the matrix.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const blocks = [
    '# Conformance compared',
    `**${countInWords(comparison)}**`,
    reports(comparison),
    ...comparison.notes.map((note) => `> ${plainText(note)}`),
    '## By area and version',
    areas(comparison),
    ...comparison.steps.flatMap((step) => stepBlocks(step, comparison)),
    ...observations(comparison),
    ...matrix(comparison),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function reports(comparison: Comparison): string {
  const heads = ['report', 'judged', 'kit', 'pass', 'fail', 'should', 'blocked', 'waived', 'skip', 'observed'];
  const lines = comparison.reports.map(({ name, startedAt, tool, summary: { counts } }) => [
    plainText(name),
    startedAt.slice(0, 10),
    tool.version,
    ...[counts.pass, counts.fail - counts.shouldFail, counts.shouldFail].map(String),
    ...[counts.blocked, counts.waived, counts.skip, counts.observed].map(String),
  ]);
  return table(heads, lines, 3);
}

/** The verdicts of each area in each version: a column for each report. */
function areas({ reports }: Comparison): string {
  const heads = ['area', 'API', ...reports.map(({ name }) => plainText(name))];
  const names = [...new Set(reports.flatMap(({ summary }) => Object.keys(summary.areas)))];
  const lines = names.flatMap((area) =>
    apiVersions.flatMap((api) => {
      const counts = reports.map(({ summary }) => summary.areas[area]?.[api]);
      return counts.some(Boolean)
        ? [[plainText(area), api, ...counts.map((one) => (one ? countsInWords(one) : ''))]]
        : [];
    }),
  );
  return table(heads, lines, heads.length);
}

function countsInWords(counts: Counts): string {
  const told = countColumns.filter(([, of]) => of(counts) > 0);
  return told.map(([title, of]) => `${of(counts).toLocaleString('en')} ${title}`).join(', ');
}

function nameOf({ reports }: Comparison, place: number): string {
  return plainText(reports[place]?.name ?? '');
}

function stepBlocks({ from, to, changes, newRules, goneRules }: Step, comparison: Comparison): string[] {
  const blocks = [`## ${nameOf(comparison, from)} → ${nameOf(comparison, to)}`];
  if (changes.length + newRules.length + goneRules.length === 0) return [...blocks, 'Nothing changed.'];
  for (const kind of changeKinds) {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length > 0) blocks.push(`### ${changeTitles[kind]}`, changesOf(kind, own));
  }
  if (newRules.length > 0) blocks.push('### New rules', ids(newRules));
  if (goneRules.length > 0) blocks.push('### Rules that are gone', ids(goneRules));
  return blocks;
}

function changesOf(kind: ChangeKind, changes: readonly Change[]): string {
  const alike = grouped(changes, ({ rule, before, after }) => JSON.stringify([rule, before, after]));
  const items = [...alike.values()].map((own) => item(kind, own));
  const rest = items.length - told;
  return [...items.slice(0, told), ...(rest > 0 ? [`- ${rest} more`] : [])].join('\n');
}

function item(kind: ChangeKind, changes: readonly Change[]): string {
  const [first] = changes;
  if (!first) return '';
  const { rule, regression, before, after } = first;
  const apis = changes.map(({ api }) => api).join(', ');
  const lines = [`- ${codeSpan(rule)} in ${apis}${regression ? ' **(regression)**' : ''}`];
  if (kind !== 'newly-judged') lines.push(`before: ${outcome(before)}`);
  lines.push(`${kind === 'newly-judged' ? '' : 'now: '}${outcome(after)}`);
  return lines.join('<br>\n  ');
}

function outcome({ verdict, level, expected, actual, reason }: Outcome): string {
  const name = verdict === 'fail' && level === 'should' ? 'fail (should)' : verdict;
  const wanted = expected === '' ? '' : ` (expected: ${codeSpan(expected)})`;
  if (actual !== '') return `${name}: ${codeSpan(actual)}${wanted}`;
  return reason === '' ? name : `${name}: ${codeSpan(reason)}`;
}

function ids(rules: readonly string[]): string {
  const shown = rules.slice(0, told).map((rule) => `- ${codeSpan(rule)}`);
  const rest = rules.length - shown.length;
  return [...shown, ...(rest > 0 ? [`- ${rest} more`] : [])].join('\n');
}

function observations(comparison: Comparison): string[] {
  const matters = comparison.observations.map(({ rule, says, facts }) => {
    const seen = facts.flatMap((own, place) =>
      own.map(({ fact, apis }) => `  - ${nameOf(comparison, place)} (${apis.join(', ')}): ${codeSpan(fact)}`),
    );
    return [`- ${codeSpan(rule)}: ${sentence(says)}`, ...seen].join('\n');
  });
  return matters.length === 0 ? [] : ['## Observed differently', matters.join('\n')];
}

function matrix(comparison: Comparison): string[] {
  const shown = comparison.rules.filter((row) => !isAlike(row));
  const alike = comparison.rules.length - shown.length;
  const heads = ['rule', ...comparison.reports.map(({ name }) => plainText(name))];
  const lines = shown.slice(0, rows).map((row) => [codeSpan(row.rule), ...row.verdicts.map(cell)]);
  const left = shown.length - lines.length;
  return [
    '## Matrix',
    `${alike.toLocaleString('en')} rules came out the same in all of the reports${shown.length > 0 ? '; these did not:' : '.'}`,
    ...(lines.length > 0 ? [table(heads, lines, heads.length)] : []),
    ...(left > 0 ? [`${left.toLocaleString('en')} more rules are in the page and the JSON.`] : []),
  ];
}

function cell(verdicts: Row['verdicts'][number]): string {
  if (!verdicts) return '';
  const byVerdict = grouped(Object.entries(verdicts), ([, verdict]) => verdict);
  if (byVerdict.size === 1) return [...byVerdict.keys()].join('');
  return [...byVerdict].map(([verdict, own]) => `${verdict} ${own.map(([api]) => api).join(', ')}`).join('; ');
}
