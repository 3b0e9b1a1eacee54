import { announce, el, plural } from './dom.js';
import { countKinds, kindNames, kindOf, kinds, problemKinds } from './kinds.js';
import { report, resultsOf } from './model.js';

/** What the list shows. Empty means all. */
const state = { verdict: [], level: '', area: '', endpoint: '', version: '', text: '' };
const choices = ['level', 'area', 'endpoint', 'version', 'text'];
const controls = {};
let apply = () => {};

/** Draws the controls; `onChange` gets a function that says whether a rule is shown and returns how many are. */
export function renderFilters(onChange) {
  apply = () => {
    const shown = onChange(matches);
    const words = shownInWords(shown, report.rules.length);
    controls.status.textContent = words;
    controls.all.hidden = shown === report.rules.length;
    controls.nothing.hidden = shown > 0;
    return words;
  };
  controls.status = el('span', { id: 'shown' });
  controls.all = el('button', { type: 'button', class: 'quiet', on: { click: () => showOnly({}) } }, 'Show all');
  controls.nothing = el('p', { class: 'notice', hidden: true }, 'No rule fits these filters.');
  return [
    el(
      'form',
      {
        class: 'filters',
        role: 'search',
        'aria-label': 'Filter the rules',
        on: { submit: (event) => event.preventDefault() },
      },
      el('div', { class: 'toggles', role: 'group', 'aria-label': 'Verdict' }, verdictToggles()),
      el(
        'div',
        { class: 'choices' },
        search(),
        choice(
          'area',
          'Area',
          unique((rule) => rule.area),
        ),
        choice(
          'endpoint',
          'Endpoint',
          unique((rule) => rule.endpoint),
        ),
        choice('version', 'API version', report.apis),
        choice('level', 'Level', ['must', 'should', 'observe']),
      ),
      el('p', { class: 'shown' }, controls.status, controls.all),
    ),
    controls.nothing,
  ];
}

function verdictToggles() {
  const counts = countKinds(report.rules.flatMap(resultsOf));
  controls.verdict = kindNames
    .filter((kind) => counts[kind] > 0)
    .map((kind) =>
      el(
        'button',
        {
          type: 'button',
          class: 'toggle',
          value: kind,
          'aria-pressed': 'false',
          title: kinds[kind].says,
          'data-kind': kind,
          on: { click: toggle },
        },
        el('span', { class: 'mark', 'aria-hidden': 'true' }, kinds[kind].mark),
        `${kinds[kind].label} `,
        el('b', {}, counts[kind].toLocaleString('en')),
      ),
    );
  return controls.verdict;

  function toggle(event) {
    const kind = event.currentTarget.value;
    const chosen = state.verdict.includes(kind)
      ? state.verdict.filter((one) => one !== kind)
      : [...state.verdict, kind];
    change({ verdict: chosen });
  }
}

function search() {
  controls.text = el('input', {
    type: 'search',
    id: 'filter-text',
    placeholder: 'id, sentence, reason …',
    autocomplete: 'off',
    spellcheck: 'false',
    on: { input: () => change({ text: controls.text.value }) },
  });
  return el('label', { class: 'search' }, el('span', {}, 'Search'), controls.text);
}

function choice(name, label, values) {
  const options = values.map((value) => el('option', { value }, value));
  controls[name] = el(
    'select',
    { id: `filter-${name}`, on: { change: () => change({ [name]: controls[name].value }) } },
    el('option', { value: '' }, 'all'),
    options,
  );
  return el('label', {}, el('span', {}, label), controls[name]);
}

function unique(of) {
  return [...new Set(report.rules.map(of).filter(Boolean))];
}

/** Drops all filters but these, and goes to the list. */
export function showOnly(some) {
  change({ verdict: [], level: '', area: '', endpoint: '', version: '', text: '', ...some });
  document.getElementById('rules').scrollIntoView();
}

/** Problems first, when there are any and the address names no filter. */
export function applyFilters(parameters) {
  const named = ['verdict', ...choices].some((name) => parameters.has(name));
  const counts = countKinds(report.rules.flatMap(resultsOf));
  const problems = problemKinds.filter((kind) => counts[kind] > 0);
  const verdict =
    parameters
      .get('verdict')
      ?.split(',')
      .filter((kind) => kind in kinds) ?? [];
  Object.assign(state, { verdict: named ? verdict : problems });
  for (const name of choices) state[name] = parameters.get(name) ?? '';
  show();
}

function change(some) {
  Object.assign(state, some);
  const parameters = new URLSearchParams();
  for (const name of ['verdict', ...choices]) {
    if (state[name].length > 0) parameters.set(name, String(state[name]));
  }
  // Without any filter the address says so, or the next visit would begin with the problems.
  history.replaceState(null, '', `#${parameters.size > 0 ? parameters : 'verdict='}`);
  announce(show());
}

function show() {
  for (const name of choices) {
    controls[name].value = state[name];
    // A value that is not on offer would leave the control blank and the list empty.
    if (controls[name].value !== state[name]) state[name] = controls[name].value = '';
  }
  for (const button of controls.verdict)
    button.setAttribute('aria-pressed', String(state.verdict.includes(button.value)));
  return apply();
}

function matches(rule) {
  if (state.area && rule.area !== state.area) return false;
  if (state.endpoint && rule.endpoint !== state.endpoint) return false;
  const results = resultsOf(rule).filter(
    (result) =>
      (!state.version || result.api === state.version) &&
      (!state.level || result.level === state.level) &&
      (state.verdict.length === 0 || state.verdict.includes(kindOf(result))),
  );
  return results.length > 0 && hasText(rule, results);
}

function hasText(rule, results) {
  const reasons = results.flatMap(({ reason, expected, actual }) => [reason, expected, actual]);
  const text = [rule.id, rule.says, rule.endpoint, rule.source, ...reasons].join('\n').toLowerCase();
  return state.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function shownInWords(shown, all) {
  return shown === all ? `All ${plural(all, 'rule')}` : `${shown.toLocaleString('en')} of ${plural(all, 'rule')}`;
}
