import { cellOf, comparison, nameOf } from './comparison.js';
import { announce, el, plural, withCode } from './dom.js';

const shows = {
  split: 'that one keeps and another does not',
  differ: 'that came out differently',
  deviate: 'that some engine does not keep',
  all: 'all of them',
};
const problems = new Set(['fail', 'should', 'blocked', 'error', 'waived']);
const state = { show: 'differ', fails: '', passes: '', area: '', text: '' };
const controls = {};
let body;

/** A link to a rule of the matrix. */
export function linkToRule(rule) {
  return el('a', { href: `#${new URLSearchParams({ rule })}` }, el('code', {}, rule));
}

/** The matrix: a row for each rule, a column for each report. */
export function renderMatrix(into) {
  body = el('tbody', {});
  controls.status = el('p', { class: 'shown' });
  into.append(
    el('h2', { id: 'matrix-title' }, 'Rule by rule'),
    filters(),
    el(
      'table',
      { class: 'rulebook' },
      el('caption', { class: 'unseen' }, 'Verdicts by rule and report'),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('th', { scope: 'col' }, 'Rule'),
          comparison.reports.map((_, place) => el('th', { scope: 'col' }, nameOf(place))),
        ),
      ),
      body,
    ),
  );
  followAddress();
  addEventListener('hashchange', followAddress);
}

/** Filters the matrix by what one report does not keep and another does, and goes there. */
export function showSplit(fails, passes) {
  change({ show: 'split', fails: String(fails), passes: String(passes), area: '', text: '' });
  document.getElementById('matrix').scrollIntoView();
}

/** Filters the matrix by area, and goes there. */
export function showArea(area) {
  change({ show: 'all', fails: '', passes: '', area, text: '' });
  document.getElementById('matrix').scrollIntoView();
}

function filters() {
  controls.text = el('input', {
    type: 'search',
    placeholder: 'id, sentence, endpoint …',
    autocomplete: 'off',
    spellcheck: 'false',
    on: { input: () => change({ text: controls.text.value }) },
  });
  controls.show = choice('show', Object.entries(shows));
  controls.area = choice('area', [
    ['', 'all'],
    ...[...new Set(comparison.rules.map(({ area }) => area))].map((area) => [area, area]),
  ]);
  const places = comparison.reports.map((_, place) => [String(place), nameOf(place)]);
  controls.fails = choice('fails', [['', 'any'], ...places]);
  controls.passes = choice('passes', [['', 'any'], ...places]);
  const labelled = (title, control, name) => el('label', { class: name }, el('span', {}, title), control);
  return el(
    'form',
    {
      class: 'filters',
      role: 'search',
      'aria-label': 'Filter the rules',
      on: { submit: (event) => event.preventDefault() },
    },
    el(
      'div',
      { class: 'choices' },
      labelled('Search', controls.text, 'search'),
      labelled('Rules', controls.show),
      labelled('Fails in', controls.fails),
      labelled('Passes in', controls.passes),
      labelled('Area', controls.area),
    ),
    controls.status,
  );
}

function choice(name, options) {
  return el(
    'select',
    { on: { change: (event) => change({ [name]: event.target.value }) } },
    options.map(([value, title]) => el('option', { value }, title)),
  );
}

function change(some) {
  Object.assign(state, some);
  const parameters = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== ''));
  history.replaceState(null, '', `#${parameters}`);
  announce(draw());
}

/** `#rule=…` shows one rule, `#show=…&area=…&text=…` sets the filters. */
function followAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const rule = parameters.get('rule');
  if (rule !== null) {
    Object.assign(state, { show: 'all', fails: '', passes: '', area: '', text: rule });
  } else {
    const show = parameters.get('show');
    const place = (name) => (comparison.reports[parameters.get(name)] ? parameters.get(name) : '');
    const usual = comparison.rules.some(isSplit)
      ? 'split'
      : comparison.rules.some(differs)
        ? 'differ'
        : comparison.rules.some(deviates)
          ? 'deviate'
          : 'all';
    const area = parameters.get('area') ?? '';
    Object.assign(state, {
      show: show in shows ? show : usual,
      fails: place('fails'),
      passes: place('passes'),
      area: comparison.rules.some((row) => row.area === area) ? area : '',
      text: parameters.get('text') ?? '',
    });
  }
  draw();
  if (rule === null) return;
  const row = [...body.rows].find((one) => one.dataset.rule === rule);
  document.getElementById('matrix').scrollIntoView();
  row?.focus({ preventScroll: true });
}

function draw() {
  for (const name of Object.keys(state)) controls[name].value = state[name];
  const shown = comparison.rules.filter(fits);
  body.replaceChildren(...shown.map(row));
  const words = `${shown.length.toLocaleString('en')} of ${plural(comparison.rules.length, 'rule')}`;
  controls.status.textContent = words;
  return words;
}

function fits(one) {
  if (state.show === 'split' && !isSplit(one)) return false;
  if (state.fails && !deviatesIn(one.verdicts[state.fails])) return false;
  if (state.passes && !keptIn(one.verdicts[state.passes])) return false;
  if (state.show === 'differ' && !differs(one)) return false;
  if (state.show === 'deviate' && !deviates(one)) return false;
  if (state.area && one.area !== state.area) return false;
  const text = [one.rule, one.says, one.endpoint].join('\n').toLowerCase();
  return state.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function differs({ alike }) {
  return !alike;
}

function deviates({ verdicts }) {
  return verdicts.some(deviatesIn);
}

function isSplit({ verdicts }) {
  return verdicts.some(deviatesIn) && verdicts.some(keptIn);
}

function deviatesIn(verdicts) {
  return verdicts ? Object.values(verdicts).some((verdict) => problems.has(verdict)) : false;
}

/** Whether a report decided a rule, and found it kept wherever it did. */
function keptIn(verdicts) {
  if (!verdicts || deviatesIn(verdicts)) return false;
  return Object.values(verdicts).includes('pass');
}

function row(one) {
  const says = one.endpoint ? `\`${one.endpoint}\` ${one.says}` : one.says;
  return el(
    'tr',
    { 'data-rule': one.rule, tabindex: '-1' },
    el(
      'th',
      { scope: 'row' },
      withCode(says),
      el('a', { class: 'id', href: `#${new URLSearchParams({ rule: one.rule })}` }, one.rule),
    ),
    one.verdicts.map((_, place) => el('td', { 'data-name': nameOf(place) }, cellOf(one, place))),
  );
}
