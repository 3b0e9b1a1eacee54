import { el, fillWhenOpened, plural, visible } from './dom.js';
import { renderExchange } from './exchanges.js';
import { evidenceOf, report } from './model.js';

/** Of a proxy: what its clients did otherwise than the contract says, and how much passed through it. */
export function renderTraffic(into) {
  const { traffic } = report;
  if (!traffic) return into.remove();
  into.append(
    el('h2', { id: 'traffic-title' }, 'What clients did'),
    ...found('Deviations', 'No verdict on the daemon: the client left the contract.', 'deviates'),
    ...found('Beyond the contract', 'What clients sent that the documents do not name.', 'beyond'),
    ...traffic.passed.map((line) => el('p', { class: 'notice' }, visible(line))),
  );
}

function found(title, says, weight) {
  const own = report.traffic.matters.filter((one) => one.weight === weight);
  if (own.length === 0) return [];
  const groups = [...Map.groupBy(own, ({ endpoint, apis }) => `${endpoint} in API ${apis.join(', ')}`)];
  return [
    el('h3', {}, title, ' ', el('span', { class: 'number' }, own.length.toLocaleString('en'))),
    el('p', { class: 'says' }, says),
    ...groups.map(([where, matters]) => group(where, matters, weight === 'deviates')),
  ];
}

/** Deviations are open from the beginning. */
function group(where, matters, isOpen) {
  const details = el(
    'details',
    { class: 'because', open: isOpen },
    el(
      'summary',
      {},
      el('code', { class: 'why' }, where),
      el('span', { class: 'effort' }, plural(matters.length, isOpen ? 'deviation' : 'thing')),
    ),
  );
  fillWhenOpened(details, () => details.append(el('ul', {}, matters.map(matter))));
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
