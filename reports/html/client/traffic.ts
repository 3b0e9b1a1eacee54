import { counted } from '../../counted.ts';
import type { ClientMatter } from '../../traffic.ts';
import { visible } from '../../visible.ts';
import { el, fillWhenOpened } from './dom.ts';
import { renderExchange } from './exchanges.ts';
import { exchangeOf, report } from './model.ts';

/** For a proxy: how its clients deviated from the contract, and how much passed through it. */
export function renderTraffic(into: HTMLElement): void {
  const { traffic } = report;
  if (!traffic) {
    into.remove();
    return;
  }
  const deviations = traffic.matters.filter(({ weight }) => weight === 'deviates');
  const beyond = traffic.matters.filter(({ weight }) => weight === 'beyond');
  into.append(
    el('h2', { id: 'traffic-title' }, 'What clients did'),
    ...found(deviations, 'Deviations', 'These are not verdicts on the daemon: here a client left the contract.'),
    ...found(beyond, 'Beyond the contract', 'What clients sent that the documents do not name.'),
    ...traffic.passed.map((line) => el('p', { class: 'notice' }, visible(line))),
  );
}

function found(own: readonly ClientMatter[], title: string, says: string): HTMLElement[] {
  if (own.length === 0) return [];
  const groups = [...Map.groupBy(own, ({ endpoint, apis }) => `${endpoint} in API ${apis.join(', ')}`)];
  return [
    el('h3', {}, title, ' ', el('span', { class: 'number' }, own.length.toLocaleString('en'))),
    el('p', { class: 'says' }, says),
    ...groups.map(([where, matters]) => group(where, matters)),
  ];
}

/** Deviations are open at first. */
function group(where: string, matters: readonly ClientMatter[]): HTMLElement {
  const isOpen = matters.some(({ weight }) => weight === 'deviates');
  const details = el(
    'details',
    { class: 'because', open: isOpen },
    el(
      'summary',
      {},
      el('code', { class: 'why' }, where),
      el('span', { class: 'effort' }, counted(matters.length, isOpen ? 'deviation' : 'thing')),
    ),
  );
  fillWhenOpened(details, () => details.append(el('ul', {}, matters.map(matter))));
  return details;
}

function matter({ says, actual, times, exchange }: ClientMatter): HTMLElement {
  const first = exchangeOf(exchange);
  return el(
    'li',
    {},
    visible(says),
    ...(actual === '' ? [] : [': ', el('code', {}, visible(actual))]),
    ` (${counted(times, 'request')})`,
    ...(first ? [renderExchange(first, false, 'h4')] : []),
  );
}
