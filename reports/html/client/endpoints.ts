import { counted } from '../../counted.ts';
import type { EndpointCoverage } from '../../coverage.ts';
import { visible } from '../../visible.ts';
import { el, fillWhenOpened } from './dom.ts';
import { showOnly } from './filters.ts';
import type { Kind } from './kinds.ts';
import { report } from './model.ts';

interface State {
  readonly label: string;
  /** The plural, if it differs. */
  readonly many?: string;
  readonly kind: Kind;
}

/** The outcomes of endpoints, in the order of the picture. */
const states: Readonly<Record<EndpointCoverage['state'], State>> = {
  'not-served': { label: 'not served', kind: 'fail' },
  deviates: { label: 'deviates', many: 'deviate', kind: 'fail' },
  blocked: { label: 'blocked', kind: 'blocked' },
  known: { label: 'known', kind: 'waived' },
  kept: { label: 'kept', kind: 'pass' },
  'not-judged': { label: 'not judged', kind: 'skip' },
};

/** The endpoints with their outcomes: kept, deviates, not served, known and why. */
export function renderEndpoints(into: HTMLElement): void {
  const { endpoints } = report;
  if (endpoints.length < 2) {
    into.remove();
    return;
  }
  const counts = Object.entries(states)
    .map(([state, { label, many = label }]) => ({
      count: endpoints.filter((one) => one.state === state).length,
      ...{ label, many },
    }))
    .filter(({ count }) => count > 0);
  const details = el(
    'details',
    { class: 'coverage' },
    el(
      'summary',
      {},
      el('span', { class: 'tiles', 'aria-hidden': 'true' }, endpoints.map(tile)),
      el(
        'span',
        { class: 'counted' },
        counts.map(({ count, label, many }) => `${count} ${count === 1 ? label : many}`).join(', '),
      ),
    ),
  );
  fillWhenOpened(details, () => details.append(table(endpoints)));
  into.append(
    el(
      'h2',
      { id: 'endpoints-title' },
      'By endpoint ',
      el('span', { class: 'number' }, counted(endpoints.length, 'endpoint')),
    ),
    details,
  );
}

function tile({ endpoint, state }: EndpointCoverage): HTMLElement {
  return el('span', { 'data-kind': states[state].kind, class: state, title: `${endpoint}: ${states[state].label}` });
}

function table(endpoints: readonly EndpointCoverage[]): HTMLElement {
  return el(
    'div',
    { class: 'wide', tabindex: '0', role: 'group', 'aria-labelledby': 'endpoints-title' },
    el(
      'table',
      {},
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          ['Endpoint', 'State', 'Rules kept', 'Why'].map((title) => el('th', { scope: 'col' }, title)),
        ),
      ),
      el('tbody', {}, endpoints.map(row)),
    ),
  );
}

function row({ endpoint, state, judged, kept, causes, known, knownAs }: EndpointCoverage): HTMLElement {
  const { label, kind } = states[state];
  return el(
    'tr',
    {},
    el(
      'th',
      { scope: 'row' },
      el('button', { type: 'button', class: 'endpoint-name', on: { click: () => showOnly({ endpoint }) } }, endpoint),
    ),
    el('td', {}, el('span', { class: 'pill', 'data-kind': kind }, knownAs ? `${label}: ${knownAs}` : label)),
    el('td', { class: 'count' }, judged === 0 ? '–' : `${kept} of ${judged}`),
    el('td', { class: 'reasons-of' }, whys({ causes, known })),
  );
}

function whys({ causes, known }: Pick<EndpointCoverage, 'causes' | 'known'>): Node | string {
  const links = causes.map((place) =>
    el('li', {}, el('a', { href: `#cause=${place + 1}` }, visible(report.causes[place]?.says ?? ''))),
  );
  const reasons = known.map(({ says, kind }) => el('li', {}, kind ? `known, ${kind}: ` : 'known: ', visible(says)));
  const all = [...links, ...reasons];
  if (all.length < 2) return all.length === 0 ? '' : el('ul', {}, all);
  const title = [
    ...(links.length > 0 ? [counted(links.length, 'cause')] : []),
    ...(reasons.length > 0 ? [`${reasons.length} known`] : []),
  ];
  return el('details', {}, el('summary', {}, title.join(', ')), el('ul', {}, all));
}
