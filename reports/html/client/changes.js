import { comparison, linkTo, nameOf } from './comparison.js';
import { el, fillWhenOpened, plural, visible, withCode } from './dom.js';
import { kindOf, kinds } from './kinds.js';
import { linkToRule } from './matrix.js';

/** Lists longer than this are opened by the reader. */
const shownAtOnce = 40;

/** What changed from one report to a later one of the same engine. */
export function renderChanges(into) {
  into.append(...comparison.steps.flatMap(step));
}

function step({ from, to, changes, newRules, goneRules }) {
  const byKind = Map.groupBy(changes, ({ kind }) => kind);
  const lists = Object.entries(comparison.changeTitles)
    .filter(([kind]) => byKind.has(kind))
    .map(([kind, title]) => listOfChanges(title, byKind.get(kind)));
  const rules = [
    ['New rules', newRules],
    ['Rules that are gone', goneRules],
  ].filter(([, list]) => list.length > 0);
  const nothing = lists.length + rules.length === 0;
  return [
    el('h2', {}, nameOf(from), ' → ', linkTo(to)),
    nothing ? el('p', { class: 'notice' }, 'Nothing changed.') : '',
    ...lists,
    ...rules.map(([title, list]) => folded(title, list.length, () => list.map(ruleItem))),
  ];
}

function listOfChanges(title, changes) {
  const alike = Map.groupBy(changes, ({ rule, before, after }) => JSON.stringify([rule, before, after]));
  return folded(title, alike.size, () => [...alike.values()].map(changeItem));
}

function folded(title, size, items) {
  const details = el(
    'details',
    { class: 'because' },
    el('summary', {}, el('span', { class: 'why' }, title), el('span', { class: 'effort' }, plural(size, 'rule'))),
  );
  fillWhenOpened(details, () => details.append(el('ul', {}, items())));
  details.open = size <= shownAtOnce;
  return details;
}

function ruleItem(rule) {
  return el('li', {}, linkToRule(rule));
}

function changeItem(own) {
  const [{ rule, regression, before, after }] = own;
  return el(
    'li',
    { class: 'change' },
    el(
      'p',
      { class: 'changed' },
      linkToRule(rule),
      el('span', { class: 'links' }, own.map(({ api }) => api).join(', ')),
      regression ? el('span', { class: 'level' }, 'regression') : '',
    ),
    outcome('Before', before),
    outcome('Now', after),
  );
}

function outcome(title, side) {
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

/** The matters that were observed differently. */
export function renderObservations(into) {
  const { observations } = comparison;
  if (observations.length === 0) return into.remove();
  into.append(
    el(
      'h2',
      { id: 'observations-title' },
      'Observed differently ',
      el('span', { class: 'number' }, observations.length.toLocaleString('en')),
    ),
    el('p', { class: 'says' }, 'What the engines do where the documents leave the matter open. Never a failure.'),
    folded('Matters', observations.length, () => observations.map(matter)),
  );
}

function matter({ rule, says, facts }) {
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
