import { visible } from './dom.js';
import { evidenceOf, report, scriptOf } from './model.js';

/** A cause as an issue in Markdown, ready to paste: what is seen, where, how to see it again, and the versions of everything. */
export function issueOf(cause) {
  const { target, tool } = report;
  const { rule, api } = cause.shownBy;
  const shown = report.rules.find(({ id }) => id === rule);
  const result = shown?.results[api];
  const engine = [target.product, target.version].filter(Boolean).join(' ') || 'the engine';
  return [
    `### ${inline(cause.says)}`,
    `Seen on ${inline(engine)} (${[target.os, target.arch].filter(Boolean).map(inline).join(' ')}) in API ${cause.apis.join(', ')}, by ${tool.name} ${tool.version}, seed ${report.seed}.`,
    rules(cause),
    ...(result ? example(shown, result) : []),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

function rules({ rules: own }) {
  const items = own.map(({ rule, apis, verdict }) => {
    const says = report.rules.find(({ id }) => id === rule)?.says ?? '';
    return `- \`${rule}\` (${apis.join(' ')}${verdict === 'blocked' ? ', blocked' : ''}): ${says}`;
  });
  return [`Rules that this explains (${own.length}):`, '', ...items].join('\n');
}

function example(rule, result) {
  const { expected, actual, reason } = result;
  const exchange = evidenceOf(result).at(-1);
  const repro = scriptOf(rule, result);
  return [
    `For example \`${rule.id}\` in API ${result.api}${rule.source ? ` (${rule.source})` : ''}:`,
    ...(expected ? ['Expected:', fenced(expected)] : []),
    actual ? 'Actual:' : 'Blocked:',
    fenced(actual || reason),
    ...(exchange
      ? [`Request, answered with ${exchange.answer?.status ?? 'no answer'}:`, fenced(exchange.curl, 'sh')]
      : []),
    ...(repro?.script ? [folded('A script that shows it again', fenced(repro.script, 'sh'))] : []),
  ];
}

function folded(title, text) {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** Text that a daemon sent, as a block that nothing in it can end. */
function fenced(text, language = '') {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${visible(text).trimEnd()}\n${fence}`;
}

/** Text that a daemon sent, on one line in which nothing is markup. */
function inline(text) {
  return visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>&~@#|]/g, '\\$&');
}
