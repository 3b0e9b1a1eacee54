import type { RecordedExchange, Result, RunStarted, TargetIdentity } from '../harness/events.ts';
import { visible } from './visible.ts';

/** The content of an issue. */
export interface Issue {
  /** What is wrong, in a sentence. */
  readonly says: string;
  readonly target: TargetIdentity;
  readonly tool: RunStarted['tool'];
  readonly seed: number;
  readonly apis: readonly string[];
  /** The rules that a cause explains; absent for a single failure. */
  readonly rules?: readonly IssueRule[];
  readonly example?: IssueExample;
}

interface IssueRule {
  readonly rule: string;
  readonly apis: readonly string[];
  readonly verdict: string;
  readonly says: string;
}

/** A failure in an issue. */
export interface IssueExample extends Pick<Result, 'rule' | 'api' | 'level' | 'expected' | 'actual' | 'reason'> {
  readonly says: string;
  readonly source?: string;
  readonly exchange?: IssueExchange;
  readonly script?: string;
}

type IssueExchange = Pick<RecordedExchange, 'curl' | 'answer' | 'failure'>;

/** Characters of a body that an issue shows. */
const shownOfBody = 2000;

/**
 * A cause or a failure as an issue in Markdown, ready to paste: what was seen and where, what was expected and what
 * came, the exchange, a script that reproduces it, and all versions involved. Pages and `repro --markdown` write the
 * same text.
 */
export function issueText({ says, target, tool, seed, apis, rules, example }: Issue): string {
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

function explained(rules: readonly IssueRule[]): string {
  const items = rules.map(({ rule, apis, verdict, says }) => {
    return `- \`${rule}\` (${apis.join(' ')}${verdict === 'blocked' ? ', blocked' : ''}): ${says}`;
  });
  return [`Rules that this explains (${rules.length}):`, '', ...items].join('\n');
}

function shown(example: IssueExample, isOne: boolean): string[] {
  const { rule, api, says, source, level, expected, actual, reason, exchange, script } = example;
  const loose = level === 'should' ? '; the documents are loose about it' : '';
  return [
    `${isOne ? 'For example ' : ''}\`${rule}\` in API ${api}${source ? ` (${source}${loose})` : loose}:`,
    says,
    ...(expected ? ['Expected:', fenced(expected)] : []),
    actual ? 'Actual:' : 'Blocked:',
    fenced(actual || reason),
    ...(exchange ? exchanged(exchange) : []),
    ...(script ? [folded('A script that reproduces it', fenced(script, 'sh'))] : []),
  ];
}

function exchanged({ curl, answer, failure }: IssueExchange): string[] {
  const text = answer?.body.text ?? '';
  const cut = text.length > shownOfBody ? `${text.slice(0, shownOfBody)}…` : text;
  return [
    `Request, answered with ${answer?.status ?? 'no answer'}:`,
    fenced(curl, 'sh'),
    ...(cut.trim() ? ['Body of the answer:', fenced(cut)] : []),
    ...(failure === undefined ? [] : [`No complete answer: ${inline(failure)}`]),
  ];
}

function versions(target: TargetIdentity, tool: RunStarted['tool']): string {
  const known = [
    ['Engine', [target.product, target.version].filter(Boolean).join(' ')],
    ['Serves API', target.apiVersion && `up to ${target.apiVersion}`],
    ['Platform', [target.os, target.arch, target.kernel].filter(Boolean).join(' ')],
    ['Judged by', `${tool.name} ${tool.version}`],
  ] as const;
  return known
    .filter(([, text]) => text)
    .map(([name, text]) => `- ${name}: ${inline(text)}`)
    .join('\n');
}

function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** Text that a daemon sent, as a block that nothing inside can end. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${visible(text).trimEnd()}\n${fence}`;
}

/** Text that a daemon sent, on one line, without any markup. */
function inline(text: string): string {
  return visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>&~@#|]/g, '\\$&');
}
