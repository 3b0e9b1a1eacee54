import type { Outcome, VerdictChange } from '../../compare/change.ts';
import type { ObservationDifference } from '../../compare/observations.ts';
import { counted } from '../../counted.ts';
import { visible } from '../../visible.ts';
import { comparison, linkTo, nameOf } from './comparison.ts';
import { el, fillWhenOpened, withCode } from './dom.ts';
import { kindOf, kinds } from './kinds.ts';
import { linkToRule } from './matrix.ts';

/** Longer lists are closed at first. */
const shownAtOnce = 40;

type Step = (typeof comparison)['steps'][number];

/** What changed from one report to a later one of the same engine. */
export function renderChanges(into: HTMLElement): void {
  into.append(...comparison.steps.flatMap(step));
}

function step({ from, to, changes, newRules, goneRules, leftOut }: Step): (Node | string)[] {
  const byKind = Map.groupBy(changes, ({ kind }): string => kind);
  const lists = Object.entries(comparison.changeTitles).flatMap(([kind, title]) => {
    const own = byKind.get(kind);
    return own ? [listOfChanges(title, own)] : [];
  });
  const ofRules: readonly (readonly [title: string, rules: readonly string[]])[] = [
    ['Not in the later report', leftOut],
    ['New rules', newRules],
    ['Removed rules', goneRules],
  ];
  const rules = ofRules.filter(([, list]) => list.length > 0);
  const nothing = lists.length + rules.length === 0;
  return [
    el('h2', {}, nameOf(from), ' → ', linkTo(to)),
    nothing ? el('p', { class: 'notice' }, 'Nothing changed.') : '',
    ...lists,
    ...rules.map(([title, list]) => folded(title, list.length, () => list.map(ruleItem))),
  ];
}

function listOfChanges(title: string, changes: readonly VerdictChange[]): HTMLElement {
  const alike = Map.groupBy(changes, ({ rule, before, after }) => JSON.stringify([rule, before, after]));
  return folded(title, alike.size, () =>
    [...alike.values()].flatMap((own) =>
      own[0]
        ? changeItem(
            own[0],
            own.map(({ api }) => api),
          )
        : [],
    ),
  );
}

function folded(title: string, size: number, items: () => HTMLElement[]): HTMLElement {
  const details = el(
    'details',
    { class: 'because' },
    el('summary', {}, el('span', { class: 'why' }, title), el('span', { class: 'effort' }, counted(size, 'rule'))),
  );
  fillWhenOpened(details, () => details.append(el('ul', {}, items())));
  details.open = size <= shownAtOnce;
  return details;
}

function ruleItem(rule: string): HTMLElement {
  return el('li', {}, linkToRule(rule));
}

/** @param apis the versions in which it is the same */
function changeItem({ rule, regression, before, after }: VerdictChange, apis: readonly string[]): HTMLElement {
  return el(
    'li',
    { class: 'change' },
    el(
      'p',
      { class: 'changed' },
      linkToRule(rule),
      el('span', { class: 'links' }, apis.join(', ')),
      regression ? el('span', { class: 'level' }, 'regression') : '',
    ),
    outcome('Before', before),
    outcome('Now', after),
  );
}

function outcome(title: string, side: Outcome): HTMLElement {
  const kind = kindOf(side);
  const text = side.actual ? `${side.actual} (expected: ${side.expected})` : side.reason;
  return el(
    'p',
    { class: 'side' },
    el('span', { class: 'when' }, title),
    el(
      'span',
      { class: 'pill', 'data-kind': kind },
      el('span', { class: 'mark', 'aria-hidden': 'true' }, kinds[kind].mark),
      kinds[kind].label,
    ),
    el('span', { class: 'why' }, withCode(visible(text))),
  );
}

/** The observations that differ. */
export function renderObservations(into: HTMLElement): void {
  const { observations } = comparison;
  if (observations.length === 0) {
    into.remove();
    return;
  }
  into.append(
    el(
      'h2',
      { id: 'observations-title' },
      'Observed differently ',
      el('span', { class: 'number' }, observations.length.toLocaleString('en')),
    ),
    el('p', { class: 'says' }, 'What the engines do where the documents leave a choice. Never a failure.'),
    folded('Matters', observations.length, () => observations.map(matter)),
  );
}

function matter({ rule, says, facts }: ObservationDifference): HTMLElement {
  const seen = facts.flatMap((own, place) =>
    own.map(({ fact, apis }) =>
      el(
        'p',
        { class: 'side' },
        el('span', { class: 'when' }, nameOf(place)),
        el('span', { class: 'links' }, apis.join(', ')),
        el('span', { class: 'why' }, withCode(visible(fact))),
      ),
    ),
  );
  return el('li', { class: 'change' }, el('p', { class: 'changed' }, withCode(says), ' ', linkToRule(rule)), seen);
}
