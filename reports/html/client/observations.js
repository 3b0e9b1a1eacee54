import { el, plural, visible, withCode } from './dom.js';
import { report } from './model.js';

/** What the target does where the documents leave the matter open: each matter once, with what was seen of it. */
export function renderObservations(into) {
  const { observations } = report;
  if (observations.length === 0) return into.remove();
  const rules = new Map(report.rules.map((rule) => [rule.id, rule]));
  const sorts = Map.groupBy(observations, ({ rule }) => sortOf(rule, rules));
  const [matters, undocumented, fields] = ['matter', 'undocumented', 'field'].map((sort) => sorts.get(sort) ?? []);
  const table = (some) => list(some, rules);
  into.append(
    el('h2', { id: 'observations-title' }, 'Observations ', el('span', { class: 'number' }, observations.length)),
    el(
      'p',
      { class: 'says' },
      'What this target does where the documents leave the matter open. Never a failure; the same behaviour has the same words in every report.',
    ),
    ...(matters.length > 0 ? [table(matters)] : []),
    ...(undocumented.length > 0 ? [el('h3', {}, 'Undocumented fields'), table(undocumented)] : []),
    ...(fields.length > 0
      ? [
          el(
            'details',
            { class: 'because' },
            el('summary', {}, `${plural(fields.length, 'field')} whose presence or value is left open`),
            table(fields),
          ),
        ]
      : []),
  );
}

function sortOf(rule, rules) {
  if (rule.endsWith('.undocumented')) return 'undocumented';
  return rules.get(rule)?.kind === 'field' ? 'field' : 'matter';
}

function list(observations, rules) {
  return el(
    'dl',
    { class: 'facts-seen' },
    observations.map((one) => observation(one, rules.get(one.rule)?.endpoint)),
  );
}

function observation({ rule, says, facts }, endpoint) {
  return el(
    'div',
    {},
    el('dt', {}, withCode(endpoint ? `\`${endpoint}\`: ${says}` : says), ' ', el('code', { class: 'id' }, rule)),
    facts.map(({ fact, apis }) =>
      el(
        'dd',
        {},
        parts(fact),
        el(
          'span',
          { class: 'links' },
          apis.map((api) => link(rule, api)),
        ),
      ),
    ),
  );
}

/** Long facts are lists with semicolons between. */
function parts(fact) {
  const list = fact.split('; ');
  if (list.length === 1) return el('span', { class: 'why' }, withCode(visible(fact)));
  return el(
    'ul',
    { class: 'why' },
    list.map((part) => el('li', {}, withCode(visible(part)))),
  );
}

function link(rule, api) {
  const href = `#${new URLSearchParams({ rule, api })}`;
  return el('a', { href, 'aria-label': `${rule} in API ${api}` }, api);
}
