import { el, fillWhenOpened, plural, visible } from './dom.js';
import { renderExchange } from './exchanges.js';
import { evidenceOf, report } from './model.js';

/** Of a proxy: how much passed through it, and what its clients did otherwise than the contract says. */
export function renderTraffic(into) {
  const { traffic } = report;
  if (!traffic) return into.remove();
  const { connections, exchanges, notJudged, clients } = traffic;
  const left = Object.entries(notJudged).map(([reason, number]) => `${number.toLocaleString('en')} for ${reason}`);
  const judged = left.length === 0 ? 'all were judged' : `not judged: ${left.join(', ')}`;
  into.append(
    el('h2', { id: 'traffic-title' }, 'Traffic'),
    el('p', {}, visible(`${plural(exchanges, 'exchange')} on ${plural(connections, 'connection')} passed; ${judged}.`)),
    ...found('Deviations of clients', 'No verdict on the target: the client left the contract.', clients, 'deviates'),
    ...found('Beyond the contract', 'What clients sent that the documents do not name.', clients, 'beyond'),
  );
}

function found(title, says, clients, weight) {
  const own = clients.filter((one) => one.weight === weight);
  if (own.length === 0) return [];
  const groups = [...Map.groupBy(own, ({ endpoint, api }) => `${endpoint} in API ${api}`)];
  return [
    el('h3', {}, title, ' ', el('span', { class: 'number' }, own.length.toLocaleString('en'))),
    el('p', { class: 'says' }, says),
    ...groups.map(([where, deviations]) => group(where, deviations)),
  ];
}

function group(where, deviations) {
  const details = el(
    'details',
    { class: 'because' },
    el(
      'summary',
      {},
      el('code', { class: 'why' }, where),
      el('span', { class: 'effort' }, plural(deviations.length, 'matter')),
    ),
  );
  fillWhenOpened(details, () => details.append(el('ul', {}, deviations.map(matter))));
  return details;
}

function matter({ says, actual, times, exchange }) {
  const [first] = evidenceOf({ evidence: [exchange] });
  return el(
    'li',
    {},
    visible(says),
    ...(actual === '' ? [] : [': ', el('code', {}, visible(actual))]),
    ` (${plural(times, 'request')})`,
    ...(first ? [renderExchange(first, false, 'h4')] : []),
  );
}
