import { judgeAgain } from '../../judge-again.ts';
import { visible } from '../../visible.ts';
import type { PageRule } from '../data.ts';
import { el, fact, withCode } from './dom.ts';
import { copyable } from './exchanges.ts';
import { countedKinds, kindOf, problemKinds } from './kinds.ts';
import { report, resultsOf } from './model.ts';

/** What is known about a rule, and the commands that judge it again and show a right answer. */
export function renderKnowledge(rule: PageRule): HTMLElement {
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
  return el(
    'section',
    { class: 'known' },
    again === undefined ? '' : [el('h5', {}, 'To judge it again'), copyable(again, 'command that judges it again')],
    isDecidedByExample(rule)
      ? [
          el('h5', {}, 'To see an answer that keeps it, and one that does not'),
          copyable(`engine-conformance explain ${rule.id}`, 'command that shows a right answer'),
        ]
      : '',
    facts.length > 0 ? [el('h5', {}, 'What is known about this rule'), el('dl', { class: 'facts' }, facts)] : '',
  );
}

/** Whether the rule is not kept, and `explain` can show how it is. */
function isDecidedByExample(rule: PageRule): boolean {
  const off = resultsOf(rule).filter((result) => countedKinds.includes(kindOf(result)));
  return off.length > 0 && !off.some(({ generated }) => generated);
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
