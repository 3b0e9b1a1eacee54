import { counted } from '../../counted.ts';
import { visible } from '../../visible.ts';
import type { PageResult, PageRule } from '../data.ts';
import type { Mark, PageExchange } from '../exchange.ts';
import { el, fact, fillWhenOpened, withCode } from './dom.ts';
import { copyable, copyButton, renderExchange } from './exchanges.ts';
import { renderGenerated } from './generated.ts';
import { issueOfFailure } from './issue.ts';
import { kindOf, kinds } from './kinds.ts';
import { renderKnowledge } from './knowledge.ts';
import { evidenceOf, evidenceOfPass, preparationOf, report, resultsOf, scriptOf } from './model.ts';

/** What an open rule shows: its facts, its verdicts with their evidence, and what else is known about it. */
export function renderRule(rule: PageRule): HTMLElement {
  return el(
    'div',
    { class: 'body' },
    facts(rule),
    alike(resultsOf(rule)).map((results) => verdict(rule, results)),
    renderKnowledge(rule),
  );
}

/** The results by what they say: versions that have the same are shown once. */
function alike(results: readonly PageResult[]): (readonly [PageResult, ...PageResult[]])[] {
  const same = Map.groupBy(results, ({ verdict, level, reason, expected, actual, again, knownAs, generated }) =>
    JSON.stringify([verdict, level, reason, expected, actual, again, knownAs, generated]),
  );
  return [...same.values()].flatMap(([first, ...rest]) => (first ? [[first, ...rest] as const] : []));
}

function facts(rule: PageRule): HTMLElement {
  const interpretations = rule.interpretations.flatMap((id) => {
    const known = report.interpretations[id];
    if (!known) return [];
    return fact(
      'Interpretation',
      withCode(known.place),
      el('br'),
      'Reading: ',
      withCode(known.reading),
      ' ',
      el('small', {}, `(${id})`),
    );
  });
  return el(
    'dl',
    { class: 'facts' },
    fact(
      'Rule',
      el('code', {}, rule.id),
      ' ',
      copyButton('Copy', 'rule id', () => rule.id),
    ),
    rule.source === undefined ? '' : fact('Stated in', sourceOf(rule, rule.source)),
    fact('Level', `${rule.level} (${rule.kind})`),
    interpretations,
  );
}

/** A link to the rule in the contract, if the report has it. */
function sourceOf({ id, endpoint }: PageRule, source: string): Node | string {
  const { contract } = report;
  if (!contract) return source;
  const page = contract.pages[endpoint ?? ''] ?? contract.general;
  return el('a', { href: `${contract.folder}/${page}#${encodeURIComponent(id)}` }, source);
}

/** The part of an open rule about the versions that have the same verdict; the evidence is that of the newest. */
function verdict(rule: PageRule, same: readonly [PageResult, ...PageResult[]]): HTMLElement {
  const result = same.at(-1) ?? same[0];
  const apis = same.map(({ api }) => api);
  const kind = kindOf(result);
  return el(
    'section',
    { class: 'verdict', 'data-kind': kind, 'data-api': apis.join(' '), tabindex: '-1' },
    el(
      'h5',
      {},
      el(
        'span',
        { class: 'pill', 'data-kind': kind },
        el('span', { class: 'mark', 'aria-hidden': 'true' }, kinds[kind].mark),
        result.knownAs ? `${kinds[kind].label}: ${result.knownAs}` : kinds[kind].label,
      ),
      ' API ',
      apis.map((api) => permalink(rule, api)),
      el('span', { class: 'effort' }, effort(result)),
    ),
    result.reason === '' ? '' : el('p', { class: 'reason' }, withCode(visible(result.reason))),
    result.again === undefined ? '' : el('p', { class: 'reason' }, `Run again: ${result.again}.`),
    comparison(result),
    identity(result),
    result.generated ? renderGenerated(result.generated) : '',
    shownAgain(rule, result),
    ofVersion(rule, result),
    same.slice(0, -1).map((other) => evidenceElsewhere(rule, other)),
    asIssue(rule, result, apis),
  );
}

/** The version, as a link to the verdict in it. */
function permalink(rule: PageRule, api: string): HTMLElement {
  return el(
    'a',
    {
      class: 'permalink',
      href: `#${new URLSearchParams({ rule: rule.id, api })}`,
      'aria-label': `Permanent link to ${rule.id} in API ${api}`,
    },
    api,
  );
}

function ofVersion(rule: PageRule, result: PageResult): HTMLElement[] {
  return result.verdict === 'pass' ? transcriptsOfPass(result) : transcripts(rule, result);
}

/** The exchanges of a version that has the same verdict as the one shown. */
function evidenceElsewhere(rule: PageRule, result: PageResult): Node | string {
  if (result.evidence.length === 0) return '';
  const details = el('details', { class: 'preparation' }, el('summary', {}, `The same in API ${result.api}`));
  fillWhenOpened(details, () =>
    details.append(identity(result) || '', ...shownAgain(rule, result), ...ofVersion(rule, result)),
  );
  return details;
}

function effort({ assertions, evidence, durationMs }: PageResult): string {
  if (assertions === 0) return '';
  return `${counted(assertions, 'assertion')} on ${counted(evidence.length, 'exchange')}, ${Math.round(durationMs)} ms`;
}

function comparison({ expected, actual }: PageResult): Node | string {
  if (!expected && !actual) return '';
  const side = (title: string, text: string) =>
    text === ''
      ? ''
      : el('div', { class: title.toLowerCase() }, el('h6', {}, title), el('pre', { tabindex: '0' }, visible(text)));
  return el('div', { class: 'comparison' }, side('Expected', expected), side('Actual', actual));
}

/** What the roles in the texts were in this run, and the fingerprint that a baseline uses for the deviation. */
function identity({ names = {}, fingerprint }: PageResult): Node | string {
  const named = Object.entries(names).map(([role, name]) => fact(role, el('code', {}, visible(name))));
  const known = fingerprint === undefined ? [] : [fact('Fingerprint', el('code', {}, fingerprint))];
  const facts = [...named, ...known];
  return facts.length > 0 ? el('dl', { class: 'facts' }, facts) : '';
}

/** A failure as an issue, to be copied. */
function asIssue(rule: PageRule, result: PageResult, apis: readonly string[]): HTMLElement[] {
  if (result.verdict !== 'fail' && result.verdict !== 'blocked') return [];
  const button = copyButton('Copy as Markdown', 'failure as Markdown', () => issueOfFailure(rule, result, apis));
  return [el('p', { class: 'actions' }, button)];
}

/** The script that reproduces a failure, to be copied as a whole. */
function shownAgain(rule: PageRule, result: PageResult): HTMLElement[] {
  const repro = scriptOf(rule, result);
  if (!repro) return [];
  if ('reason' in repro) {
    return [el('p', { class: 'reason' }, `No script can reproduce this: ${visible(repro.reason)}.`)];
  }
  const details = el('details', { class: 'preparation' }, el('summary', {}, 'A script that reproduces this'));
  fillWhenOpened(details, () => details.append(copyable(repro.script, 'script')));
  return [details];
}

function transcripts(rule: PageRule, result: PageResult): HTMLElement[] {
  const judged = evidenceOf(result);
  const decisive = judged.find((exchange) => markOf(exchange, rule, result)) ?? judged.at(-1);
  const before = preparationOf(rule, result);
  return [
    ...judged.map((exchange) => renderExchange(exchange, exchange === decisive, 'h6', markOf(exchange, rule, result))),
    ...(before.length > 0 ? [preparation(before)] : []),
  ];
}

/** Where an exchange shows the deviation of a verdict; undefined if another exchange does. */
function markOf({ marks = [] }: PageExchange, rule: PageRule, { api }: PageResult): Mark | undefined {
  return marks.find((mark) => mark.rule === rule.id && mark.api === api);
}

function transcriptsOfPass(result: PageResult): HTMLElement[] {
  const { evidence } = result;
  if (evidence.length === 0) return [];
  const summary = el('summary', {}, `Evidence: ${counted(evidence.length, 'exchange')}`);
  const details = el('details', { class: 'preparation' }, summary);
  fillWhenOpened(details, async () => {
    const found = await evidenceOfPass(result);
    details.append(...found.map((exchange) => renderExchange(exchange, false)));
    const missing = evidence.filter((id) => !found.some((exchange) => exchange.id === id));
    if (missing.length > 0) details.append(el('p', { class: 'cut' }, `Only in report.json: ${missing.join(', ')}.`));
  });
  return [details];
}

function preparation(exchanges: readonly PageExchange[]): HTMLElement {
  const details = el(
    'details',
    { class: 'preparation' },
    el('summary', {}, `Also sent by this check: ${counted(exchanges.length, 'exchange')}`),
  );
  fillWhenOpened(details, () => details.append(...exchanges.map((exchange) => renderExchange(exchange, false))));
  return details;
}
