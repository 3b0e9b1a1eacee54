import type { ExplainedRule } from '../../causes/cause.ts';
import { counted } from '../../counted.ts';
import { visible } from '../../visible.ts';
import type { PageCause, PageResult } from '../data.ts';
import { el, fillWhenOpened, withCode } from './dom.ts';
import { copyable, copyButton, renderExchange } from './exchanges.ts';
import { issueOf } from './issue.ts';
import { type Kind, kinds } from './kinds.ts';
import { evidenceOf, exchangeOf, report, scriptOf } from './model.ts';

/** Causes shown before the reader asks for all of them. */
const atFirst = 8;

const rows: HTMLLIElement[] = [];
let showAll = () => {};

/** What to fix: the causes of the deviations, most serious first. */
export function renderCauses(into: HTMLElement): void {
  const { causes } = report;
  if (causes.length === 0) {
    into.remove();
    return;
  }
  const list = el(
    'ol',
    { class: 'causes' },
    causes.map((cause, place) => row(cause, place)),
  );
  const more = el(
    'button',
    { type: 'button', class: 'quiet', on: { click: () => showAll() } },
    counted(causes.length - atFirst, 'more cause'),
  );
  showAll = () => {
    for (const one of rows) one.hidden = false;
    more.remove();
  };
  into.append(
    el('h2', { id: 'causes-title' }, 'To do ', el('span', { class: 'number' }, counted(causes.length, 'cause'))),
    el('p', { class: 'says' }, explained()),
    list,
    causes.length > atFirst ? more : '',
  );
}

function explained(): string {
  const { causes } = report;
  const verdicts = causes.reduce((sum, { failing, blocked }) => sum + failing + blocked, 0);
  const which = ['the one verdict', 'both verdicts'][verdicts - 1] ?? `all ${counted(verdicts, 'verdict')}`;
  const those = `${which} that failed or ${verdicts === 1 ? 'was' : 'were'} blocked.`;
  if (causes.length === 1) return `It explains ${those}`;
  return `They explain ${those} Those that break clients and those that affect most rules come first.`;
}

function row(cause: PageCause, place: number): HTMLElement {
  const kind = kindOfCause(cause);
  const details = el(
    'details',
    { class: 'cause' },
    el(
      'summary',
      {},
      el(
        'span',
        { class: 'pill', 'data-kind': kind },
        el('span', { class: 'mark', 'aria-hidden': 'true' }, kinds[kind].mark),
        el('span', { class: 'unseen' }, `${kinds[kind].label}. `),
      ),
      el(
        'span',
        { class: 'what' },
        el('span', { class: 'sentence' }, visible(cause.says)),
        el('span', { class: 'extent' }, cause.extent),
        cause.trips === '' ? '' : el('span', { class: 'trips' }, cause.trips),
      ),
    ),
  );
  fillWhenOpened(details, () => details.append(body(cause, place)));
  const item = el('li', { hidden: place >= atFirst, id: `cause-${place + 1}` }, details);
  rows.push(item);
  return item;
}

function kindOfCause({ failing, level }: PageCause): Kind {
  if (failing === 0) return 'blocked';
  return level === 'should' ? 'should' : 'fail';
}

function body(cause: PageCause, place: number): HTMLElement {
  return el(
    'div',
    { class: 'body' },
    el(
      'p',
      { class: 'actions' },
      copyButton('Copy as Markdown', 'cause as Markdown', () => issueOf(cause)),
      el('a', { href: `#cause=${place + 1}` }, 'Link to this cause'),
    ),
    el('ul', { class: 'explained' }, cause.rules.map(explainedRule)),
    shown(cause),
  );
}

function explainedRule({ rule, apis, verdict }: ExplainedRule): HTMLElement {
  const says = report.rules.find(({ id }) => id === rule)?.says ?? '';
  const links = apis.map((api) =>
    el('a', { href: `#${new URLSearchParams({ rule, api })}`, 'aria-label': `${rule} in API ${api}` }, api),
  );
  return el(
    'li',
    {},
    el('span', {}, withCode(says), ' ', el('code', {}, rule), verdict === 'blocked' ? ' (blocked)' : ''),
    el('span', { class: 'links' }, links),
  );
}

/** The failure that shows it best: what was expected, what came, the exchange, and the script. */
function shown({ shownBy }: PageCause): HTMLElement | undefined {
  const rule = report.rules.find(({ id }) => id === shownBy.rule);
  const result = rule?.results[shownBy.api];
  if (!rule || !result) return undefined;
  const exchange = evidenceOf(result).at(-1) ?? exchangeOf(shownBy.exchange);
  const repro = scriptOf(rule, result);
  const script = el('details', { class: 'preparation' }, el('summary', {}, 'A script that reproduces this'));
  const lines = repro && 'script' in repro ? repro.script : '';
  if (lines) fillWhenOpened(script, () => script.append(copyable(lines, 'script')));
  return el(
    'div',
    { class: 'example' },
    el('p', {}, 'Shown by ', el('code', {}, shownBy.rule), ` in API ${shownBy.api}: `, visible(inOneLine(result))),
    exchange ? renderExchange(exchange, false) : '',
    lines ? script : '',
  );
}

function inOneLine({ expected, actual, reason }: PageResult): string {
  return actual ? `${actual} instead of ${expected}` : reason;
}

/** Opens the cause with this number, counted from 1, and scrolls to it. Returns whether there is one. */
export function openCause(number: number): boolean {
  const item = rows[number - 1];
  if (!item) return false;
  if (item.hidden) showAll();
  const details = item.querySelector('details');
  if (details) details.open = true;
  item.scrollIntoView({ block: 'start' });
  item.querySelector('summary')?.focus({ preventScroll: true });
  return true;
}
