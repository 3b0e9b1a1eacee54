import { el, fillWhenOpened, plural, visible, withCode } from './dom.js';
import { kindOf } from './kinds.js';
import { report, resultsOf } from './model.js';

/** What was not decided, gathered by reason. */
export function renderReasons(into) {
  into.append(
    ...section('Blocked', 'A step before the check failed, so these rules were not decided.', of('blocked')),
    ...section('Skipped', 'Rules that do not apply to this target, or need what its host cannot do.', of('skip')),
    ...Object.entries(report.knownTitles).flatMap(([kind, title]) =>
      section(title, 'Deviations that the baseline of this target knows.', knownAs(kind)),
    ),
    ...section('Untested', 'Rules that no check decides.', of('untested')),
  );
}

function of(kind) {
  return (result) => kindOf(result) === kind;
}

function knownAs(kind) {
  return (result) => kindOf(result) === 'waived' && (result.knownAs ?? 'other') === kind;
}

function section(title, says, isMeant) {
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

function reasonRow(reason, found) {
  const rules = Map.groupBy(found, ({ rule }) => rule);
  const details = el(
    'details',
    { class: 'because' },
    el(
      'summary',
      {},
      el('span', { class: 'why' }, withCode(visible(reason) || 'No reason was given')),
      el('span', { class: 'effort' }, plural(rules.size, 'rule')),
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

function ruleItem(rule, found) {
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
