import { counted, thousands } from '../counted.ts';
import { grouped } from '../grouped.ts';
import { countColumns } from '../markdown.ts';
import { codeSpan, plainText, table } from '../markdown-text.ts';
import { percentOf } from '../standing.ts';
import type { Counts } from '../summary.ts';
import { type ComparedCause, isSplit } from './causes.ts';
import { type ChangeKind, changeKinds, type Outcome, type VerdictChange } from './change.ts';
import type { Comparison, Transition } from './compare.ts';
import { isShared, leftOut } from './shared.ts';
import { splitsOf } from './splits.ts';
import { changeTitles, countInWords, isAlike } from './words.ts';

/** How many items are listed on a page that should be read in one go; the page and the JSON have all of them. */
const told = {
  splits: 6,
  causesOfSplit: 4,
  common: 4,
  changes: 8,
  otherChanges: 2,
  rules: 5,
} as const;

/** Characters of a cause's sentence, which may contain what a daemon sent. */
const shownOfCause = 160;

/**
 * A comparison as a page of Markdown: the reports, what fails in one and passes in another by cause, the areas, and
 * what changed.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const blocks = [
    '# Conformance comparison',
    `**${countInWords(comparison)}**`,
    reports(comparison),
    ...comparison.notes.map((note) => `> ${plainText(note)}`),
    ...splits(comparison),
    ...common(comparison),
    '## By area',
    areas(comparison),
    ...comparison.steps.flatMap((step) => stepBlocks(step, comparison)),
    rest(comparison),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The verdict on each engine, in rules. */
function reports({ reports: all, causes }: Comparison): string {
  const heads = ['report', 'date', 'kept', 'judged', '%', 'deviate', 'loosely', 'known', 'blocked', 'causes'];
  const lines = all.map(({ name, startedAt, standing }, place) => [
    plainText(name),
    startedAt.slice(0, 10),
    ...[standing.kept, standing.judged].map(thousands),
    standing.judged === 0 ? '' : percentOf(standing.kept, standing.judged),
    ...[standing.deviating, standing.loose, standing.known, standing.blocked].map(String),
    String(causes.filter((cause) => cause.reports[place] === 'has').length),
  ]);
  return table(heads, lines, 2);
}

/** `Fails in A, passes in B`, with the causes. */
function splits(comparison: Comparison): string[] {
  const all = splitsOf(comparison.causes);
  const names = (places: readonly number[]) => places.map((place) => nameOf(comparison, place)).join(' and ');
  const lists = all.slice(0, told.splits).map(({ fails, passes, causes }) => {
    const head = `**Fails in ${names(fails)}, passes in ${names(passes)}** (${counted(causes.length, 'cause')})`;
    return [head, '', ...causeItems(causes, told.causesOfSplit)].join('\n');
  });
  if (lists.length === 0) return [];
  const left = all.slice(told.splits).reduce((sum, { causes }) => sum + causes.length, 0);
  return [
    '## Fails in one, passes in another',
    ...lists,
    ...(left > 0 ? [`${counted(left, 'more cause')}, split between other reports.`] : []),
  ];
}

/** The causes that no report keeps. */
function common({ causes }: Comparison): string[] {
  const own = causes.filter((cause) => !isSplit(cause));
  if (own.length === 0) return [];
  return ['## Passes in no report that judged it', causeItems(own, told.common).join('\n')];
}

function causeItems(causes: readonly ComparedCause[], most: number): string[] {
  const items = causes.slice(0, most).map(({ says, rules, apis }) => {
    const text = says.length > shownOfCause ? `${says.slice(0, shownOfCause)}…` : says;
    return `- ${plainText(text)} (${counted(rules.length, 'rule')} in ${apis.join(' ')})`;
  });
  const left = causes.length - items.length;
  return [...items, ...(left > 0 ? [`- ${left} more`] : [])];
}

/** The verdicts of each area, over all versions: a column for each report. */
function areas({ reports: all }: Comparison): string {
  const heads = ['area', ...all.map(({ name }) => plainText(name))];
  const names = [...new Set(all.flatMap(({ summary }) => Object.keys(summary.areas)))];
  const lines = names.map((area) => [
    plainText(area),
    ...all.map(({ summary }) => countsInWords(Object.values(summary.areas[area] ?? {}))),
  ]);
  return table(heads, lines, heads.length);
}

function countsInWords(versions: readonly Counts[]): string {
  const sums = countColumns.map(
    ([title, of]) => [versions.reduce((sum, counts) => sum + of(counts), 0), title] as const,
  );
  return sums
    .filter(([sum]) => sum > 0)
    .map(([sum, title]) => `${thousands(sum)} ${title}`)
    .join(', ');
}

/** What is left out here. */
function rest({ rules, observations }: Comparison): string {
  const shared = rules.filter(isShared);
  const differing = shared.filter((row) => !isAlike(row)).length;
  const alike = shared.length - differing;
  const single = rules.length - shared.length;
  const left =
    single > 0 ? ` ${counted(single, 'rule')} ${single === 1 ? 'was' : 'were'} not decided in two of them.` : '';
  const observed =
    observations.length > 0
      ? ` ${counted(observations.length, 'observation')} differ${observations.length === 1 ? 's' : ''}.`
      : '';
  return `${counted(alike, 'rule')} came out the same in every report that decided them; ${thousands(differing)} did not.${left}${observed} The page and the JSON (--out) list them rule by rule.`;
}

function nameOf({ reports }: Comparison, place: number): string {
  return plainText(reports[place]?.name ?? '');
}

function stepBlocks(step: Transition, comparison: Comparison): string[] {
  const { from, to, changes, newRules, goneRules } = step;
  const unselected = leftOut(step, comparison);
  const blocks = [`## ${nameOf(comparison, from)} → ${nameOf(comparison, to)}`];
  if (changes.length + newRules.length + goneRules.length + unselected.length === 0)
    return [...blocks, 'Nothing changed.'];
  for (const kind of changeKinds) {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length > 0) blocks.push(`### ${changeTitles[kind]}`, changesOf(kind, own));
  }
  if (unselected.length > 0) blocks.push('### Not in the later report', ids(unselected));
  if (newRules.length > 0) blocks.push('### New rules', ids(newRules));
  if (goneRules.length > 0) blocks.push('### Removed rules', ids(goneRules));
  return blocks;
}

function changesOf(kind: ChangeKind, changes: readonly VerdictChange[]): string {
  const alike = grouped(changes, ({ rule, before, after }) => JSON.stringify([rule, before, after]));
  const items = [...alike.values()].map((own) => item(kind, own));
  const most = kind === 'newly-failing' ? told.changes : told.otherChanges;
  const left = items.length - most;
  return [...items.slice(0, most), ...(left > 0 ? [`- ${left} more`] : [])].join('\n');
}

function item(kind: ChangeKind, changes: readonly VerdictChange[]): string {
  const [first] = changes;
  if (!first) return '';
  const { rule, regression, before, after } = first;
  const apis = changes.map(({ api }) => api).join(', ');
  const head = `- ${codeSpan(rule)} in ${apis}${regression ? ' **(regression)**' : ''}`;
  const was = kind === 'newly-judged' || before.verdict === 'pass' ? '' : `; before: ${outcome(before)}`;
  return `${head}<br>${outcome(after)}${was}`;
}

function outcome({ verdict, level, expected, actual, reason }: Outcome): string {
  const name = verdict === 'fail' && level === 'should' ? 'fail (should)' : verdict;
  const wanted = expected === '' ? '' : ` (expected: ${codeSpan(expected)})`;
  if (actual !== '') return `${name}: ${codeSpan(actual)}${wanted}`;
  return reason === '' ? name : `${name}: ${codeSpan(reason)}`;
}

function ids(rules: readonly string[]): string {
  const shown = rules.slice(0, told.rules).map((rule) => codeSpan(rule));
  const left = rules.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}
