import { counted } from '../../counted.ts';
import type { PageResult, PageRule } from '../data.ts';
import { announce, byId, el } from './dom.ts';
import { countKinds, isKind, type Kind, kindNames, kindOf, kinds, problemKinds } from './kinds.ts';
import { report, resultsOf } from './model.ts';

const choices = ['level', 'area', 'endpoint', 'version', 'text'] as const;
type Choice = (typeof choices)[number];

interface State extends Record<Choice, string> {
  verdict: readonly Kind[];
}

const noFilters: Readonly<State> = { verdict: [], level: '', area: '', endpoint: '', version: '', text: '' };
/** The active filters. Empty means all. */
const state: State = { ...noFilters };
const controls: Partial<Record<Choice, HTMLInputElement | HTMLSelectElement>> = {};
let toggles: readonly HTMLButtonElement[] = [];
let apply = () => '';

/**
 * Draws the controls; `onChange` gets a function that decides whether a rule is shown, and returns how many are.
 * @param others further buttons for the list
 */
export function renderFilters(
  onChange: (matches: (rule: PageRule) => boolean) => number,
  others: readonly HTMLElement[],
): HTMLElement[] {
  apply = () => {
    const shown = onChange(matches);
    const words = shownInWords(shown, report.rules.length);
    const elsewhere = foundElsewhere();
    status.textContent = words;
    all.hidden = shown === report.rules.length;
    nothing.hidden = shown > 0;
    among.textContent = elsewhere;
    among.hidden = elsewhere === '';
    return elsewhere === '' ? words : `${words}; ${elsewhere}`;
  };
  const status = el('span', { id: 'shown' });
  const all = el('button', { type: 'button', class: 'quiet', on: { click: () => showOnly({}) } }, 'Show all');
  const among = el('button', { type: 'button', class: 'quiet', on: { click: () => change({ verdict: [] }) } });
  const nothing = el('p', { class: 'notice', hidden: true }, 'No rules match these filters.');
  const form = el(
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
    el('p', { class: 'shown' }, status, among, all, others),
  );
  new ResizeObserver(() => tellHeight(form)).observe(form);
  return [form, nothing];
}

/** Lets the heading of an open rule stay below the filters, where they stay in view. */
function tellHeight(form: HTMLElement): void {
  const stays = getComputedStyle(form).position === 'sticky';
  document.documentElement.style.setProperty('--filters', `${stays ? form.offsetHeight : 0}px`);
}

function verdictToggles(): readonly HTMLButtonElement[] {
  const counts = countKinds(report.rules.flatMap(resultsOf));
  toggles = kindNames
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
          on: { click: () => toggle(kind) },
        },
        el('span', { class: 'mark', 'aria-hidden': 'true' }, kinds[kind].mark),
        `${kinds[kind].label} `,
        el('b', {}, counts[kind].toLocaleString('en')),
      ),
    );
  return toggles;
}

function toggle(kind: Kind): void {
  const chosen = state.verdict.includes(kind) ? state.verdict.filter((one) => one !== kind) : [...state.verdict, kind];
  change({ verdict: chosen });
}

function search(): HTMLElement {
  const input = el('input', {
    type: 'search',
    id: 'filter-text',
    placeholder: 'id, sentence, reason …',
    autocomplete: 'off',
    spellcheck: 'false',
    on: { input: () => change({ text: input.value }) },
  });
  controls.text = input;
  return el('label', { class: 'search' }, el('span', {}, 'Search'), input);
}

function choice(name: Choice, label: string, values: readonly string[]): HTMLElement {
  const options = values.map((value) => el('option', { value }, value));
  const select = el(
    'select',
    { id: `filter-${name}`, on: { change: () => change({ [name]: select.value }) } },
    el('option', { value: '' }, 'all'),
    options,
  );
  controls[name] = select;
  return el('label', {}, el('span', {}, label), select);
}

function unique(of: (rule: PageRule) => string | undefined): string[] {
  return [...new Set(report.rules.flatMap((rule) => of(rule) || []))];
}

/** Clears all filters except these, and goes to the list. */
export function showOnly(some: Partial<State>): void {
  change({ ...noFilters, ...some });
  byId('rules').scrollIntoView();
}

/**
 * Shows problems first, if there are any and the address has no filter. Returns the values in the address that are not
 * available.
 */
export function applyFilters(parameters: URLSearchParams): string[] {
  const named = ['verdict', ...choices].some((name) => parameters.has(name));
  const counts = countKinds(report.rules.flatMap(resultsOf));
  const problems = problemKinds.filter((kind) => counts[kind] > 0);
  const verdict = parameters.get('verdict')?.split(',').filter(isKind) ?? [];
  state.verdict = named ? verdict : problems;
  for (const name of choices) state[name] = parameters.get(name) ?? '';
  show();
  return choices.flatMap((name) =>
    state[name] === (parameters.get(name) ?? '') ? [] : `${name} ${parameters.get(name)}`,
  );
}

function change(some: Partial<State>): void {
  Object.assign(state, some);
  const parameters = new URLSearchParams();
  for (const name of ['verdict', ...choices] as const) {
    if (state[name].length > 0) parameters.set(name, String(state[name]));
  }
  // The address also records that there is no filter, as otherwise the next visit would start with the problems.
  history.replaceState(null, '', `#${parameters.size > 0 ? parameters : 'verdict='}`);
  announce(show());
}

function show(): string {
  for (const name of choices) {
    const control = controls[name];
    if (!control) continue;
    control.value = state[name];
    // An unavailable value would leave the control blank and the list empty.
    if (control.value !== state[name]) state[name] = control.value = '';
  }
  const pressed: readonly string[] = state.verdict;
  for (const button of toggles) button.setAttribute('aria-pressed', String(pressed.includes(button.value)));
  return apply();
}

function matches(rule: PageRule): boolean {
  const results = chosenOf(rule).filter(
    (result) => state.verdict.length === 0 || state.verdict.includes(kindOf(result)),
  );
  return results.length > 0 && hasText(rule, results);
}

/** The results of a rule that match all filters other than the verdict and the text. */
function chosenOf(rule: PageRule): PageResult[] {
  if (state.area && rule.area !== state.area) return [];
  if (state.endpoint && rule.endpoint !== state.endpoint) return [];
  return resultsOf(rule).filter(
    (result) => (!state.version || result.api === state.version) && (!state.level || result.level === state.level),
  );
}

/** `1 among pass, 2 among skip: show`: rules that have the text but not the verdict; empty if there are none. */
function foundElsewhere(): string {
  if (state.text.trim() === '' || state.verdict.length === 0) return '';
  const hidden = report.rules.filter((rule) => !matches(rule)).map((rule) => ({ rule, results: chosenOf(rule) }));
  const counts = kindNames
    .filter((kind) => !state.verdict.includes(kind))
    .map((kind) => {
      const among = hidden.filter(({ rule, results }) => {
        const own = results.filter((result) => kindOf(result) === kind);
        return own.length > 0 && hasText(rule, own);
      });
      return { kind, count: among.length };
    })
    .filter(({ count }) => count > 0);
  if (counts.length === 0) return '';
  const words = counts.map(({ kind, count }) => `${count.toLocaleString('en')} among ${kinds[kind].label}`);
  return `${words.join(', ')}: show`;
}

function hasText(rule: PageRule, results: readonly PageResult[]): boolean {
  const reasons = results.flatMap(({ reason, expected, actual }) => [reason, expected, actual]);
  const text = [rule.id, rule.says, rule.endpoint, rule.source, ...reasons].join('\n').toLowerCase();
  return state.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function shownInWords(shown: number, all: number): string {
  return shown === all ? `All ${counted(all, 'rule')}` : `${shown.toLocaleString('en')} of ${counted(all, 'rule')}`;
}
