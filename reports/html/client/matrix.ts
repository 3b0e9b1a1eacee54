import { counted } from '../../counted.ts';
import { type ComparedRow, cellOf, comparison, nameOf } from './comparison.ts';
import { announce, byId, el, withCode } from './dom.ts';

const shows = {
  split: 'that one keeps and another does not',
  differ: 'that came out differently',
  deviate: 'that some engine does not keep',
  all: 'all of them',
};
const problems = new Set<string>(['fail', 'should', 'blocked', 'error', 'waived']);
const filterNames = ['show', 'fails', 'passes', 'area', 'text'] as const;
type Filter = (typeof filterNames)[number];

const state: Record<Filter, string> = { show: 'differ', fails: '', passes: '', area: '', text: '' };
const controls: Partial<Record<Filter, HTMLInputElement | HTMLSelectElement>> = {};
const body = el('tbody', {});
const status = el('p', { class: 'shown' });

type Verdicts = ComparedRow['verdicts'][number];

/** A link to a rule of the matrix. */
export function linkToRule(rule: string): HTMLElement {
  return el('a', { href: `#${new URLSearchParams({ rule })}` }, el('code', {}, rule));
}

/** The matrix: a row for each rule, a column for each report. */
export function renderMatrix(into: HTMLElement): void {
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

/** Filters the matrix by what the first of some reports breaks and the first of others keeps, and goes there. */
export function showSplit([fails]: readonly number[], [passes]: readonly number[]): void {
  change({ show: 'split', fails: String(fails ?? ''), passes: String(passes ?? ''), area: '', text: '' });
  byId('matrix').scrollIntoView();
}

/** Filters the matrix by area, and goes there. */
export function showArea(area: string): void {
  change({ show: 'all', fails: '', passes: '', area, text: '' });
  byId('matrix').scrollIntoView();
}

function filters(): HTMLElement {
  const text = el('input', {
    type: 'search',
    placeholder: 'id, sentence, endpoint …',
    autocomplete: 'off',
    spellcheck: 'false',
    on: { input: () => change({ text: text.value }) },
  });
  const areas = [...new Set(comparison.rules.map(({ area }) => area))];
  const places = comparison.reports.map((_, place): Option => [String(place), nameOf(place)]);
  const show = choice('show', Object.entries(shows));
  const area = choice('area', [['', 'all'], ...areas.map((one): Option => [one, one])]);
  const fails = choice('fails', [['', 'any'], ...places]);
  const passes = choice('passes', [['', 'any'], ...places]);
  controls.text = text;
  const labelled = (title: string, control: HTMLElement, name?: string) =>
    el('label', { class: name }, el('span', {}, title), control);
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
      labelled('Search', text, 'search'),
      labelled('Rules', show),
      labelled('Fails in', fails),
      labelled('Passes in', passes),
      labelled('Area', area),
    ),
    status,
  );
}

type Option = readonly [value: string, title: string];

function choice(name: Filter, options: readonly Option[]): HTMLSelectElement {
  const select = el(
    'select',
    { on: { change: () => change({ [name]: select.value }) } },
    options.map(([value, title]) => el('option', { value }, title)),
  );
  controls[name] = select;
  return select;
}

function change(some: Partial<typeof state>): void {
  Object.assign(state, some);
  const parameters = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== ''));
  history.replaceState(null, '', `#${parameters}`);
  announce(draw());
}

/** `#rule=…` shows one rule, `#show=…&area=…&text=…` sets the filters. */
function followAddress(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const rule = parameters.get('rule');
  if (rule !== null) {
    Object.assign(state, { show: 'all', fails: '', passes: '', area: '', text: rule });
  } else {
    const show = parameters.get('show') ?? '';
    const place = (name: string) => {
      const named = parameters.get(name) ?? '';
      return comparison.reports.some((_, at) => String(at) === named) ? named : '';
    };
    const usual = comparison.rules.some(isSplit)
      ? 'split'
      : comparison.rules.some(differs)
        ? 'differ'
        : comparison.rules.some(deviates)
          ? 'deviate'
          : 'all';
    const area = parameters.get('area') ?? '';
    Object.assign(state, {
      show: Object.hasOwn(shows, show) ? show : usual,
      fails: place('fails'),
      passes: place('passes'),
      area: comparison.rules.some((row) => row.area === area) ? area : '',
      text: parameters.get('text') ?? '',
    });
  }
  draw();
  if (rule === null) return;
  const row = [...body.rows].find((one) => one.dataset.rule === rule);
  byId('matrix').scrollIntoView();
  row?.focus({ preventScroll: true });
}

function draw(): string {
  for (const name of filterNames) {
    const control = controls[name];
    if (control) control.value = state[name];
  }
  const shown = comparison.rules.filter(fits);
  body.replaceChildren(...shown.map(row));
  const words = `${shown.length.toLocaleString('en')} of ${counted(comparison.rules.length, 'rule')}`;
  status.textContent = words;
  return words;
}

function fits(one: ComparedRow): boolean {
  if (state.show === 'split' && !isSplit(one)) return false;
  if (state.fails && !deviatesIn(one.verdicts[Number(state.fails)])) return false;
  if (state.passes && !keptIn(one.verdicts[Number(state.passes)])) return false;
  if (state.show === 'differ' && !differs(one)) return false;
  if (state.show === 'deviate' && !deviates(one)) return false;
  if (state.area && one.area !== state.area) return false;
  const text = [one.rule, one.says, one.endpoint].join('\n').toLowerCase();
  return state.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function differs({ alike }: ComparedRow): boolean {
  return !alike;
}

function deviates({ verdicts }: ComparedRow): boolean {
  return verdicts.some(deviatesIn);
}

function isSplit({ verdicts }: ComparedRow): boolean {
  return verdicts.some(deviatesIn) && verdicts.some(keptIn);
}

function deviatesIn(verdicts: Verdicts | undefined): boolean {
  return verdicts ? Object.values(verdicts).some((verdict) => problems.has(verdict)) : false;
}

/** Whether a report decided a rule, and found it kept in every version that it decided. */
function keptIn(verdicts: Verdicts | undefined): boolean {
  if (!verdicts || deviatesIn(verdicts)) return false;
  return Object.values(verdicts).includes('pass');
}

function row(one: ComparedRow): HTMLElement {
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
