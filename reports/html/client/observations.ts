import { counted } from '../../counted.ts';
import type { Observation } from '../../observations.ts';
import { visible } from '../../visible.ts';
import type { PageRule } from '../data.ts';
import { el, withCode } from './dom.ts';
import { report } from './model.ts';

type Rules = ReadonlyMap<string, PageRule>;

/** What the target does where the documents leave a choice: each matter once, with what was observed. */
export function renderObservations(into: HTMLElement): void {
  const { observations } = report;
  if (observations.length === 0) {
    into.remove();
    return;
  }
  const rules = new Map(report.rules.map((rule) => [rule.id, rule]));
  const sorts = {
    matter: [],
    undocumented: [],
    field: [],
    ...Object.groupBy(observations, ({ rule }) => sortOf(rule, rules)),
  };
  const { matter: matters, undocumented, field: fields } = sorts;
  const table = (some: readonly Observation[]) => list(some, rules);
  into.append(
    el(
      'h2',
      { id: 'observations-title' },
      'Observations ',
      el('span', { class: 'number' }, String(observations.length)),
    ),
    el(
      'p',
      { class: 'says' },
      'What this target does where the documents leave a choice. Never a failure; the same behaviour has the same wording in every report.',
    ),
    ...(matters.length > 0 ? [table(matters)] : []),
    ...(undocumented.length > 0 ? [el('h3', {}, 'Undocumented fields'), table(undocumented)] : []),
    ...(fields.length > 0
      ? [
          el(
            'details',
            { class: 'because' },
            el('summary', {}, `${counted(fields.length, 'field')} whose presence or value is left open`),
            table(fields),
          ),
        ]
      : []),
  );
}

function sortOf(rule: string, rules: Rules): 'matter' | 'undocumented' | 'field' {
  if (rule.endsWith('.undocumented')) return 'undocumented';
  return rules.get(rule)?.kind === 'field' ? 'field' : 'matter';
}

function list(observations: readonly Observation[], rules: Rules): HTMLElement {
  return el(
    'dl',
    { class: 'facts-seen' },
    observations.map((one) => observation(one, rules.get(one.rule)?.endpoint)),
  );
}

function observation({ rule, says, facts }: Observation, endpoint: string | undefined): HTMLElement {
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

/** Long facts are lists separated by semicolons. */
function parts(fact: string): HTMLElement {
  const list = fact.split('; ');
  if (list.length === 1) return el('span', { class: 'why' }, withCode(visible(fact)));
  return el(
    'ul',
    { class: 'why' },
    list.map((part) => el('li', {}, withCode(visible(part)))),
  );
}

function link(rule: string, api: string): HTMLElement {
  const href = `#${new URLSearchParams({ rule, api })}`;
  return el('a', { href, 'aria-label': `${rule} in API ${api}` }, api);
}
