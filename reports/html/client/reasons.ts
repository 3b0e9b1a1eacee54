import { counted } from '../../counted.ts';
import { visible } from '../../visible.ts';
import type { PageResult, PageRule } from '../data.ts';
import { el, fillWhenOpened, withCode } from './dom.ts';
import { type Kind, kindOf } from './kinds.ts';
import { report, resultsOf } from './model.ts';

interface Found {
  readonly rule: PageRule;
  readonly result: PageResult;
}

/** What was not decided, grouped by reason. */
export function renderReasons(into: HTMLElement): void {
  into.append(
    ...section('Blocked', 'A step before the check failed, so these rules were not decided.', of('blocked')),
    ...section(
      'Skipped',
      'Rules that do not apply to this target, or need something that its host cannot do.',
      of('skip'),
    ),
    ...Object.entries(report.knownTitles).flatMap(([kind, title]) =>
      section(title, 'Deviations that are recorded in the baseline of this target.', knownAs(kind)),
    ),
    ...section('Untested', 'Rules without a check.', of('untested')),
  );
}

function of(kind: Kind) {
  return (result: PageResult) => kindOf(result) === kind;
}

function knownAs(kind: string) {
  return (result: PageResult) => kindOf(result) === 'waived' && (result.knownAs ?? 'other') === kind;
}

function section(title: string, says: string, isMeant: (result: PageResult) => boolean): HTMLElement[] {
  const found = report.rules.flatMap((rule) =>
    resultsOf(rule)
      .filter(isMeant)
      .map((result) => ({ rule, result })),
  );
  if (found.length === 0) return [];
  const reasons = [...Map.groupBy(found, ({ result }) => result.reason)].sort(([, a], [, b]) => b.length - a.length);
  return [
    el(
      'section',
      { class: 'reasons' },
      el('h2', {}, title, ' ', el('span', { class: 'number' }, found.length.toLocaleString('en'))),
      el('p', { class: 'says' }, says),
      reasons.map(([reason, own]) => reasonRow(reason, own)),
    ),
  ];
}

function reasonRow(reason: string, found: readonly Found[]): HTMLElement {
  const rules = Map.groupBy(found, ({ rule }) => rule);
  const details = el(
    'details',
    { class: 'because' },
    el(
      'summary',
      {},
      el('span', { class: 'why' }, withCode(visible(reason) || 'No reason was given')),
      el('span', { class: 'effort' }, counted(rules.size, 'rule')),
    ),
  );
  fillWhenOpened(details, () =>
    details.append(
      el(
        'ul',
        {},
        [...rules].map(([rule, own]) => ruleItem(rule, own)),
      ),
    ),
  );
  return details;
}

function ruleItem(rule: PageRule, found: readonly Found[]): HTMLElement {
  const links = found.map(({ result }) =>
    el(
      'a',
      {
        href: `#${new URLSearchParams({ rule: rule.id, api: result.api })}`,
        'aria-label': `${rule.id} in API ${result.api}`,
      },
      result.api,
    ),
  );
  return el('li', {}, el('code', {}, rule.id), ' ', el('span', { class: 'links' }, links));
}
