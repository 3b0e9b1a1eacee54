import { visible } from '../../visible.ts';
import type { PageResult, PageRule } from '../data.ts';
import type { Mark, PageExchange } from '../exchange.ts';
import { type Children, el, fillWhenOpened, plural, withCode } from './dom.ts';
import { copyable, copyButton, renderExchange } from './exchanges.ts';
import { renderGenerated } from './generated.ts';
import { issueOfFailure } from './issue.ts';
import { kindOf, kinds, problemKinds } from './kinds.ts';
import { evidenceOf, evidenceOfPass, preparationOf, report, resultsOf, scriptOf } from './model.ts';

const rows = new Map<string, HTMLDetailsElement>();
const groups: { readonly node: HTMLElement; readonly rules: readonly PageRule[] }[] = [];

/** The list of rules by area and endpoint. Returns a function that shows the matching rules, and counts them. */
export function renderRules(into: HTMLElement): (matches: (rule: PageRule) => boolean) => number {
  for (const [area, rules] of Map.groupBy(report.rules, (rule) => rule.area)) {
    const endpoints = [...Map.groupBy(rules, (rule) => rule.endpoint ?? '')].map(([endpoint, own]) => {
      const group = el(
        'section',
        { class: 'endpoint' },
        heading(endpoint),
        el('div', { class: 'rules' }, own.map(row)),
      );
      groups.push({ node: group, rules: own });
      return group;
    });
    const section = el('section', { class: 'area' }, el('h3', {}, area), endpoints);
    groups.push({ node: section, rules });
    into.append(section);
  }
  return (matches) => {
    const shown = new Set(report.rules.filter(matches));
    for (const rule of report.rules) {
      const own = rows.get(rule.id);
      if (own) own.hidden = !shown.has(rule);
    }
    for (const { node, rules } of groups) node.hidden = !rules.some((rule) => shown.has(rule));
    return shown.size;
  };
}

function heading(endpoint: string): HTMLElement {
  return endpoint ? el('h4', {}, endpoint) : el('h4', { class: 'general' }, 'No single endpoint');
}

function row(rule: PageRule): HTMLElement {
  const pills = resultsOf(rule).map((result) => pill(result));
  const level = rule.level === 'must' ? [] : [el('span', { class: 'level' }, rule.level)];
  const details = el(
    'details',
    { class: 'rule' },
    el(
      'summary',
      {},
      el('span', { class: 'sentence' }, withCode(rule.says), level),
      el('code', { class: 'id' }, rule.id),
      el('span', { class: 'pills' }, pills),
      came(rule),
    ),
  );
  fillWhenOpened(details, () => details.append(body(rule)));
  rows.set(rule.id, details);
  return details;
}

/** Limit in characters for what came and what was expected, each. */
const shownOfEach = 120;

/** What came instead of what was expected, in one line, for the first version with a problem. */
function came(rule: PageRule): Node | string {
  const result = resultsOf(rule).find((one) => problemKinds.includes(kindOf(one)));
  if (!result) return '';
  const { actual, expected, reason } = result;
  const text = actual ? `${cut(actual)} instead of ${cut(expected)}` : cut(reason, 2 * shownOfEach);
  return el('span', { class: 'came' }, visible(text));
}

function cut(text: string, limit = shownOfEach) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

function pill(result: PageResult): HTMLElement {
  const { label, mark } = kinds[kindOf(result)];
  return el(
    'span',
    { class: 'pill', 'data-kind': kindOf(result) },
    el('span', { class: 'mark', 'aria-hidden': 'true' }, mark),
    result.api,
    el('span', { class: 'unseen' }, ` ${label}. `),
  );
}

function body(rule: PageRule): HTMLElement {
  return el(
    'div',
    { class: 'body' },
    facts(rule),
    resultsOf(rule).map((result) => verdict(rule, result)),
  );
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

function fact(term: string, ...text: Children): HTMLElement {
  return el('div', {}, el('dt', {}, term), el('dd', {}, ...text));
}

/** The part of an open rule that is about one version. */
function verdict(rule: PageRule, result: PageResult): HTMLElement {
  const kind = kindOf(result);
  const link = `#${new URLSearchParams({ rule: rule.id, api: result.api })}`;
  return el(
    'section',
    { class: 'verdict', 'data-kind': kind, 'data-api': result.api, tabindex: '-1' },
    el(
      'h5',
      {},
      el(
        'span',
        { class: 'pill', 'data-kind': kind },
        el('span', { class: 'mark', 'aria-hidden': 'true' }, kinds[kind].mark),
        result.knownAs ? `${kinds[kind].label}: ${result.knownAs}` : kinds[kind].label,
      ),
      ` API ${result.api} `,
      el(
        'a',
        { class: 'permalink', href: link, 'aria-label': `Permanent link to ${rule.id} in API ${result.api}` },
        '#',
      ),
      el('span', { class: 'effort' }, effort(result)),
    ),
    result.reason === '' ? '' : el('p', { class: 'reason' }, withCode(visible(result.reason))),
    result.again === undefined ? '' : el('p', { class: 'reason' }, `Run again: ${result.again}.`),
    comparison(result),
    identity(result),
    result.generated ? renderGenerated(result.generated) : '',
    shownAgain(rule, result),
    result.verdict === 'pass' ? transcriptsOfPass(result) : transcripts(rule, result),
    asIssue(rule, result),
  );
}

function effort({ assertions, evidence, durationMs }: PageResult): string {
  if (assertions === 0) return '';
  return `${plural(assertions, 'assertion')} on ${plural(evidence.length, 'exchange')}, ${Math.round(durationMs)} ms`;
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
function asIssue(rule: PageRule, result: PageResult): HTMLElement[] {
  if (result.verdict !== 'fail' && result.verdict !== 'blocked') return [];
  const button = copyButton('Copy as Markdown', 'failure as Markdown', () => issueOfFailure(rule, result));
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
  const summary = el('summary', {}, `Evidence: ${plural(evidence.length, 'exchange')}`);
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
    el('summary', {}, `Also sent by this check: ${plural(exchanges.length, 'exchange')}`),
  );
  fillWhenOpened(details, () => details.append(...exchanges.map((exchange) => renderExchange(exchange, false))));
  return details;
}

/** Opens a rule and scrolls to its part for the version. */
export function openRule(id: string, api: string | null): void {
  const details = rows.get(id);
  if (!details) return;
  details.open = true;
  // The body is made after the toggle event.
  setTimeout(() => {
    const part =
      [...details.querySelectorAll<HTMLElement>('.verdict')].find((one) => one.dataset.api === api) ??
      details.querySelector('summary');
    if (!part) return;
    scrollTo(part, framesUntilStill);
    part.focus({ preventScroll: true });
  }, 50);
}

const framesUntilStill = 6;

/**
 * Endpoints that have not been shown yet get their height only when they come near, which moves everything below them.
 */
function scrollTo(part: HTMLElement, frames: number): void {
  part.scrollIntoView({ block: 'start' });
  if (frames > 1) requestAnimationFrame(() => scrollTo(part, frames - 1));
}

/** Whether the filters hide the rule. */
export function isHidden(id: string): boolean {
  return rows.get(id)?.hidden === true;
}
