import type { Counts } from '../../summary.ts';
import { visible } from '../../visible.ts';
import { badgeOf, comparison, linkTo, nameOf, type Report, reportAt } from './comparison.ts';
import { byId, el } from './dom.ts';
import { countedKinds, type KindCounts, kindNames, kinds, noCounts } from './kinds.ts';
import { showArea } from './matrix.ts';

/** What is compared, and the outcome. */
export function renderHeader(): void {
  const { reports, says, notes, tool, regressions } = comparison;
  const names = reports.map((_, place) => nameOf(place));
  const title = names.length > 3 ? `${names.length} reports` : new Intl.ListFormat('en').format(names);
  document.title = `${title}: conformance comparison`;
  byId('header').append(
    el('p', { class: 'eyebrow' }, 'Engine conformance comparison'),
    el('h1', {}, title),
    el('p', { class: 'overall', 'data-overall': regressions > 0 ? 'deviates' : 'conforms' }, says),
    ...notes.map((note) => el('p', { class: 'notice' }, visible(note))),
  );
  byId('footer').append(
    el('p', {}, `Made by ${tool.name} ${tool.version}. Each verdict rests on the exchanges in its report.`),
  );
}

/** The picture: one bar per area and report. */
export function renderOverview(into: HTMLElement): void {
  const areas = [...new Set(comparison.reports.flatMap(({ summary }) => Object.keys(summary.areas)))];
  into.style.setProperty('--reports', String(comparison.reports.length));
  into.append(
    el('h2', { id: 'overview-title' }, 'By area'),
    el(
      'div',
      { class: 'wide', tabindex: '0', role: 'group', 'aria-labelledby': 'overview-title' },
      el(
        'table',
        { class: 'matrix' },
        el('caption', { class: 'unseen' }, 'Verdicts by area and report; each cell filters the matrix of rules'),
        el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Area'), comparison.reports.map(head))),
        el(
          'tbody',
          {},
          areas.map((area) => row(area)),
          areas.length > 1 ? row() : '',
        ),
      ),
    ),
    legend(),
  );
}

function head({ startedAt, apis, overall }: Report, place: number): HTMLElement {
  return el(
    'th',
    { scope: 'col' },
    el('span', { class: 'engine' }, linkTo(place)),
    el('span', { class: 'when' }, `${startedAt.slice(0, 10)}, API ${apis.join(', ')}`),
    overall.verdict === 'incomplete' || overall.verdict === 'failed'
      ? el('span', { class: 'when' }, visible(overall.says))
      : '',
    badgeOf(place),
  );
}

/** @param area absent: all areas */
function row(area?: string): HTMLElement {
  const title = area === undefined ? 'All areas' : visible(area);
  return el(
    'tr',
    { class: area === undefined && 'total' },
    el('th', { scope: 'row' }, title),
    comparison.reports.map((_, place) => cell(title, area, place)),
  );
}

function cell(title: string, area: string | undefined, place: number): HTMLElement {
  const { summary } = reportAt(place);
  const counts = kindsIn(area === undefined ? [summary.counts] : Object.values(summary.areas[area] ?? {}));
  const total = sum(kindNames.map((kind) => counts[kind]));
  if (total === 0) return el('td', { class: 'none' }, 'not judged');
  return el(
    'td',
    {},
    el(
      'button',
      { type: 'button', class: 'cell', on: { click: () => showArea(area ?? '') } },
      bar(counts),
      figures(counts, total, `${title}, ${nameOf(place)}: `),
    ),
  );
}

/** The counts of the summary by kind, with failures at level should separate. */
function kindsIn(list: readonly Counts[]): KindCounts {
  const counts = noCounts();
  for (const one of list) {
    for (const kind of kindNames) counts[kind] += kind === 'should' ? one.shouldFail : one[kind];
    counts.fail -= one.shouldFail;
  }
  return counts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

function bar(counts: KindCounts): HTMLElement {
  const parts = kindNames
    .filter((kind) => counts[kind] > 0)
    .map((kind) => {
      const part = el('span', { 'data-kind': kind });
      part.style.flexGrow = String(counts[kind]);
      return part;
    });
  return el('span', { class: 'bar' }, parts);
}

function figures(counts: KindCounts, total: number, spoken: string): HTMLElement {
  const counted = countedKinds.filter((kind) => counts[kind] > 0);
  return el(
    'span',
    { class: 'figures' },
    el('span', { class: 'unseen' }, spoken),
    el(
      'span',
      {},
      el('b', {}, counts.pass.toLocaleString('en')),
      el('span', { class: 'of' }, ` of ${total.toLocaleString('en')} pass`),
    ),
    el(
      'span',
      { class: 'problems' },
      counted.map((kind) =>
        el(
          'span',
          { 'data-kind': kind },
          el('span', { 'aria-hidden': 'true' }, `${kinds[kind].mark} `),
          counts[kind].toLocaleString('en'),
          el('span', { class: 'unseen' }, ` ${kinds[kind].label}`),
        ),
      ),
    ),
  );
}

function legend(): HTMLElement {
  const used = kindNames.filter((kind) =>
    comparison.reports.some(({ summary }) => kindsIn([summary.counts])[kind] > 0),
  );
  return el(
    'ul',
    { class: 'legend', 'aria-label': 'Legend' },
    used.map((kind) =>
      el('li', {}, el('span', { class: 'swatch', 'data-kind': kind }), `${kinds[kind].label}: ${kinds[kind].says}`),
    ),
  );
}

/** The reports of an engine by date, if there are several. */
export function renderHistory(into: HTMLElement): void {
  const engines = [...Map.groupBy(comparison.reports.keys(), (place) => reportAt(place).target.product)];
  const histories = engines.filter(([, places]) => {
    const days = places.map((place) => reportAt(place).startedAt.slice(0, 10));
    return new Set(days).size > 1;
  });
  if (histories.length === 0) {
    into.remove();
    return;
  }
  into.append(
    el('h2', { id: 'history-title' }, 'History'),
    ...histories.map(([product, places]) => history(visible(product), places)),
  );
}

function history(product: string, places: readonly number[]): HTMLElement {
  const inTime = places.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
  return el(
    'table',
    { class: 'matrix history' },
    el('caption', {}, product || nameOf(places[0] ?? 0)),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        ['Judged', 'Version', 'Verdicts'].map((title) => el('th', { scope: 'col' }, title)),
      ),
    ),
    el('tbody', {}, inTime.map(moment)),
  );
}

function startOf(place: number): string {
  return reportAt(place).startedAt;
}

function moment(place: number): HTMLElement {
  const { target, startedAt, tool, summary } = reportAt(place);
  const counts = kindsIn([summary.counts]);
  const total = sum(kindNames.map((kind) => counts[kind]));
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, startedAt.slice(0, 16).replace('T', ' ')),
    el('td', {}, visible(target.version || 'unnamed'), el('span', { class: 'when' }, `kit ${tool.version}`)),
    el('td', { class: 'moment' }, bar(counts), figures(counts, total, '')),
  );
}
