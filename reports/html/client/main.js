import { openCause, renderCauses } from './causes.js';
import { el } from './dom.js';
import { renderEndpoints } from './endpoints.js';
import { applyFilters, renderFilters, showOnly } from './filters.js';
import { renderLatency } from './latency.js';
import { renderObservations } from './observations.js';
import { renderHeader, renderOverview } from './overview.js';
import { renderReasons } from './reasons.js';
import { isHidden, openRule, renderRules } from './rules.js';
import { renderTraffic } from './traffic.js';

const list = el('div', { class: 'list' });
const show = renderRules(list);

renderHeader();
renderCauses(document.getElementById('causes'));
renderOverview();
renderEndpoints(document.getElementById('endpoints'));
document.getElementById('rules').append(el('h2', { id: 'rules-title' }, 'Rules'), ...renderFilters(show), list);
renderTraffic(document.getElementById('traffic'));
renderObservations(document.getElementById('observations'));
renderReasons(document.getElementById('reasons'));
renderLatency(document.getElementById('latency-of-endpoints'));

/** `#rule=…&api=…` opens a rule, `#cause=…` the cause with that number, `#verdict=…&area=…` sets the filters. */
function followAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const rule = parameters.get('rule');
  if (parameters.has('cause')) return openCause(Number(parameters.get('cause')));
  if (rule === null) return applyFilters(parameters);
  if (isHidden(rule)) showOnly({});
  history.replaceState(null, '', `#${parameters}`);
  return openRule(rule, parameters.get('api'));
}

applyFilters(new URLSearchParams());
followAddress();
addEventListener('hashchange', followAddress);
