import { judgeAgain } from '../../judge-again.ts';
import { visible } from '../../visible.ts';
import type { PageRule } from '../data.ts';
import { el, fact, withCode } from './dom.ts';
import { copyable } from './exchanges.ts';
import { kindOf, problemKinds } from './kinds.ts';
import { report, resultsOf } from './model.ts';

/** What is known about a rule that is not kept, and the command that judges it again. */
export function renderKnowledge(rule: PageRule): HTMLElement | string {
  const { often = [], seen = [], clients = [], trips = [] } = report.known[rule.id] ?? {};
  const facts = (
    [
      ['Often because', often],
      ['Seen on', seen],
      ['Clients', clients],
      ['Trip over it', trips],
    ] as const
  ).flatMap(([term, lines]) => (lines.length > 0 ? [fact(term, listed(lines))] : []));
  const again = commandOf(rule);
  if (facts.length === 0 && again === undefined) return '';
  return el(
    'section',
    { class: 'known' },
    again === undefined ? '' : [el('h5', {}, 'To judge it again'), copyable(again, 'command that judges it again')],
    facts.length > 0 ? [el('h5', {}, 'What is known about this rule'), el('dl', { class: 'facts' }, facts)] : '',
  );
}

function listed(lines: readonly string[]): HTMLElement {
  return el(
    'ul',
    {},
    lines.map((line) => el('li', {}, withCode(visible(line)))),
  );
}

/** Judges the rule in the versions in which it is not kept, or else in all. */
function commandOf(rule: PageRule): string | undefined {
  if (!report.again) return undefined;
  const results = resultsOf(rule);
  const off = results.filter((result) => problemKinds.includes(kindOf(result)));
  const judged = off.length > 0 ? off : results;
  const generated = judged.find((result) => result.generated)?.generated;
  return judgeAgain(report.again, {
    rule: rule.id,
    apis: judged.map(({ api }) => api),
    ...(generated && { generated }),
  });
}
