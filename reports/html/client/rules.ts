import { counted } from '../../counted.ts';
import { visible } from '../../visible.ts';
import type { PageResult, PageRule } from '../data.ts';
import { announce, el, fillWhenOpened, withCode } from './dom.ts';
import { kindOf, kinds, problemKinds } from './kinds.ts';
import { report, resultsOf } from './model.ts';
import { renderRule } from './rule-body.ts';

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
  fillWhenOpened(details, () => details.append(renderRule(rule)));
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

/** A button that opens all rules shown, or closes them when all are open. */
export function expandRules(): HTMLElement {
  const shown = () => [...rows.values()].filter(({ hidden }) => !hidden);
  const expand = () => {
    const those = shown();
    const open = !those.every((details) => details.open);
    for (const details of those) details.open = open;
    announce(`${open ? 'Opened' : 'Closed'} ${counted(those.length, 'rule')}`);
  };
  return el('button', { type: 'button', class: 'quiet', on: { click: expand } }, 'Expand or collapse all');
}

/** Opens a rule and scrolls to its part for the version. Returns what of the two this report does not have. */
export function openRule(id: string, api: string | null): string[] {
  const details = rows.get(id);
  if (!details) return [`rule ${id}`];
  details.open = true;
  // The body is made after the toggle event.
  setTimeout(() => {
    const part =
      [...details.querySelectorAll<HTMLElement>('.verdict')].find((one) =>
        one.dataset.api?.split(' ').includes(api ?? ''),
      ) ?? details.querySelector('summary');
    if (!part) return;
    const heading = details.querySelector('summary');
    part.style.scrollMarginTop = `calc(var(--filters, 0px) + ${part === heading ? 8 : (heading?.offsetHeight ?? 0) + 12}px)`;
    scrollTo(part, framesUntilStill);
    part.focus({ preventScroll: true });
  }, 50);
  const isJudged = api === null || report.rules.some((rule) => rule.id === id && rule.results[api] !== undefined);
  return isJudged ? [] : [`${id} in API ${api}`];
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
