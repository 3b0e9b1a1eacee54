import { escaped } from './visible.js';

/** Characters of a body that an issue shows. */
const shownOfBody = 2000;

/**
 * A cause or a failure as an issue in Markdown, ready to paste: what is seen, where, what was expected and what came, the
 * exchange, a script that shows it again, and the versions of everything. Needs no page, so that `repro --markdown` writes
 * the same. Its types are in `issue-text.d.ts`.
 */
export function issueText({ says, target, tool, seed, apis, rules, example }) {
  const engine = [target.product, target.version].filter(Boolean).join(' ') || 'the engine';
  const platform = [target.os, target.arch].filter(Boolean).map(inline).join(' ');
  return [
    `### ${inline(says)}`,
    `Seen on ${inline(engine)}${platform && ` (${platform})`} in API ${apis.join(', ')}, by ${tool.name} ${tool.version}, seed ${seed}.`,
    rules ? explained(rules) : '',
    ...(example ? shown(example, rules !== undefined) : []),
    versions(target, tool),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

function explained(rules) {
  const items = rules.map(({ rule, apis, verdict, says }) => {
    return `- \`${rule}\` (${apis.join(' ')}${verdict === 'blocked' ? ', blocked' : ''}): ${says}`;
  });
  return [`Rules that this explains (${rules.length}):`, '', ...items].join('\n');
}

function shown({ rule, api, says, source, level, expected, actual, reason, exchange, script }, isOne) {
  const loose = level === 'should' ? '; the documents are loose about it' : '';
  return [
    `${isOne ? 'For example ' : ''}\`${rule}\` in API ${api}${source ? ` (${source}${loose})` : loose}:`,
    says,
    ...(expected ? ['Expected:', fenced(expected)] : []),
    actual ? 'Actual:' : 'Blocked:',
    fenced(actual || reason),
    ...(exchange ? exchanged(exchange) : []),
    ...(script ? [folded('A script that shows it again', fenced(script, 'sh'))] : []),
  ];
}

function exchanged({ curl, answer, failure }) {
  const text = answer?.body.text ?? '';
  const cut = text.length > shownOfBody ? `${text.slice(0, shownOfBody)}…` : text;
  return [
    `Request, answered with ${answer?.status ?? 'no answer'}:`,
    fenced(curl, 'sh'),
    ...(cut.trim() ? ['Body of the answer:', fenced(cut)] : []),
    ...(failure === undefined ? [] : [`No whole answer: ${inline(failure)}`]),
  ];
}

function versions(target, tool) {
  const known = [
    ['Engine', [target.product, target.version].filter(Boolean).join(' ')],
    ['Serves API', target.apiVersion && `up to ${target.apiVersion}`],
    ['Platform', [target.os, target.arch, target.kernel].filter(Boolean).join(' ')],
    ['Judged by', `${tool.name} ${tool.version}`],
  ];
  return known
    .filter(([, text]) => text)
    .map(([name, text]) => `- ${name}: ${inline(text)}`)
    .join('\n');
}

function folded(title, text) {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** Text that a daemon sent, as a block that nothing in it can end. */
function fenced(text, language = '') {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${escaped(text).trimEnd()}\n${fence}`;
}

/** Text that a daemon sent, on one line in which nothing is markup. */
function inline(text) {
  return escaped(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>&~@#|]/g, '\\$&');
}
