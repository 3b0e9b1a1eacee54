import type { ComparedCause } from '../../compare/causes.ts';
import { counted } from '../../counted.ts';
import { visible } from '../../visible.ts';
import { comparison, linkTo, nameOf, type Report } from './comparison.ts';
import { el, fillWhenOpened } from './dom.ts';
import { linkToRule, showSplit } from './matrix.ts';

/** The verdict on each engine: how many of the judged rules it keeps. */
export function renderStandings(into: HTMLElement): void {
  into.append(
    el('h2', { id: 'standings-title' }, 'Rules kept'),
    el(
      'ul',
      { class: 'standings' },
      comparison.reports.map((report, place) => standing(report, place)),
    ),
  );
}

function standing({ standing, percent }: Report, place: number): HTMLElement {
  const { judged, kept, deviating, loose, known, blocked } = standing;
  const told = [
    [deviating, 'deviate'],
    [loose, 'deviate only where the documents are loose'],
    [known, 'deviate as recorded in the baseline'],
    [blocked, 'blocked'],
  ] as const;
  const rest = told.filter(([number]) => number > 0);
  return el(
    'li',
    {},
    el('span', { class: 'engine' }, linkTo(place)),
    el('b', { class: 'percent' }, judged === 0 ? '–' : `${percent}\u00a0%`),
    el(
      'span',
      { class: 'when' },
      [
        `${kept.toLocaleString('en')} of ${counted(judged, 'judged rule')}`,
        ...rest.map(([number, what]) => `${number.toLocaleString('en')} ${what}`),
      ].join(', '),
    ),
  );
}

/** What fails in one report and passes in another, by cause; then what all of them break. */
export function renderSplits(into: HTMLElement): void {
  const { splits, common } = comparison;
  if (splits.length + common.length === 0) {
    into.remove();
    return;
  }
  into.append(
    el('h2', { id: 'splits-title' }, 'Fails in one, passes in another'),
    splits.length === 0 ? el('p', { class: 'says' }, 'No rule fails in one report and passes in another.') : '',
    ...splits.map(({ fails, passes, causes }) =>
      group(`Fails in ${names(fails)}, passes in ${names(passes)}`, causes, () => showSplit(fails, passes)),
    ),
    common.length > 0 ? group('Passes in no report that judged it', common) : '',
  );
}

function names(places: readonly number[]): string {
  return new Intl.ListFormat('en').format(places.map(nameOf));
}

function group(title: string, causes: readonly ComparedCause[], show?: () => void): HTMLElement {
  const details = el(
    'details',
    { class: 'because' },
    el(
      'summary',
      {},
      el('span', { class: 'why' }, title),
      el('span', { class: 'effort' }, counted(causes.length, 'cause')),
    ),
  );
  const button = show && el('button', { type: 'button', class: 'quiet', on: { click: show } }, 'Show the rules');
  fillWhenOpened(details, () => details.append(el('ul', {}, causes.map(cause)), button ?? ''));
  return details;
}

function cause({ says, level, rules, apis }: ComparedCause): HTMLElement {
  const loose = level === 'should' ? ', stated loosely' : '';
  return el(
    'li',
    { class: 'change' },
    el('p', { class: 'split' }, visible(says)),
    el(
      'p',
      { class: 'when' },
      `${counted(rules.length, 'rule')} in ${apis.join(' ')}${loose}: `,
      rules.slice(0, 3).flatMap((rule) => [linkToRule(rule), ' ']),
      rules.length > 3 ? `and ${rules.length - 3} more` : '',
    ),
  );
}
