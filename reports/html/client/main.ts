import { openCause, renderCauses } from './causes.ts';
import { byId, el } from './dom.ts';
import { renderEndpoints } from './endpoints.ts';
import { applyFilters, renderFilters, showOnly } from './filters.ts';
import { listenToKeys } from './keys.ts';
import { renderLatency } from './latency.ts';
import { renderObservations } from './observations.ts';
import { renderHeader, renderOverview } from './overview.ts';
import { renderReasons } from './reasons.ts';
import { expandRules, isHidden, openRule, renderRules } from './rules.ts';
import { renderTraffic } from './traffic.ts';
import { tellUnknown } from './unknown.ts';

const list = el('div', { class: 'list' });
const show = renderRules(list);

renderHeader();
renderCauses(byId('causes'));
renderOverview();
renderEndpoints(byId('endpoints'));
byId('rules').append(
  el('h2', { id: 'rules-title' }, 'Rules'),
  ...renderFilters(show, [expandRules(), listenToKeys()]),
  list,
);
renderTraffic(byId('traffic'));
renderObservations(byId('observations'));
renderReasons(byId('reasons'));
renderLatency(byId('latency-of-endpoints'));

/**
 * `#rule=…&api=…` opens a rule, `#cause=…` the cause with that number, `#verdict=…&area=…` sets the filters. What the
 * report does not have, it says.
 */
function followAddress(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const rule = parameters.get('rule');
  const cause = parameters.get('cause');
  if (cause !== null) tellUnknown(openCause(Number(cause)) ? [] : [`cause ${cause}`]);
  else if (rule === null) tellUnknown(applyFilters(parameters));
  else {
    if (isHidden(rule)) showOnly({});
    history.replaceState(null, '', `#${parameters}`);
    tellUnknown(openRule(rule, parameters.get('api')));
  }
}

applyFilters(new URLSearchParams());
followAddress();
addEventListener('hashchange', followAddress);
