import { lackingInWords } from '../../lacking.ts';
import { targetName } from '../../target-name.ts';
import { visible } from '../../visible.ts';
import type { PageResult, PageRule } from '../data.ts';
import { byId, el } from './dom.ts';
import { showOnly } from './filters.ts';
import { countedKinds, countKinds, type Kind, type KindCounts, kindNames, kinds, problemKinds } from './kinds.ts';
import { report, resultsOf } from './model.ts';

/** What was judged, and the outcome. */
export function renderHeader(): void {
  const { target, tool, overall } = report;
  const name = visible(targetName(target)).replace(/^unnamed/, 'Unnamed');
  document.title = `${name}: conformance report`;
  byId('header').append(
    el('p', { class: 'eyebrow' }, 'Engine conformance report', toSite()),
    el('h1', {}, name),
    ofClients(),
    el('p', { class: 'overall', 'data-overall': overall.verdict }, report.traffic ? 'Daemon: ' : '', headline()),
    standing(),
    ...notices(),
  );
  byId('run').append(
    el('dl', { class: 'identity' }, ...identity().flatMap(([term, text]) => pair(term, text))),
    lacking(),
  );
  byId('footer').append(
    el(
      'p',
      {},
      `Made by ${tool.name} ${tool.version}. Seed ${report.seed}. Every verdict shows the exchanges it rests on; for passes, report.json has more of each body.`,
    ),
  );
}

/** The outcome in one sentence: for a complete run, how many of the judged rules are kept. */
function headline(): string {
  return report.overall.verdict === 'deviates' ? inRules() : visible(report.overall.says);
}

/** For a proxy, the clients come first. */
function ofClients(): Node | string {
  const { traffic } = report;
  if (!traffic) return '';
  return el(
    'p',
    { class: 'overall', 'data-overall': traffic.deviates ? 'deviates' : 'conforms' },
    visible(traffic.says),
  );
}

function standing(): Node | string {
  return report.overall.verdict === 'deviates' || !report.standing ? '' : el('p', { class: 'standing' }, inRules());
}

function inRules(): string {
  return report.standing.replace(' %', '\u00a0%');
}

/** If the report is part of a site: the link to the other reports. */
function toSite(): (Node | string)[] {
  return report.site === undefined ? [] : [' · ', el('a', { href: report.site }, 'compare with others')];
}

function identity(): (readonly [term: string, text: string])[] {
  const { target } = report;
  const started = new Date(report.startedAt);
  const facts: (readonly [term: string, text: string])[] = [
    ['Address', target.address],
    ['Tokens from', target.tokenServer === target.address ? '' : (target.tokenServer ?? '')],
    ['Judged in API', report.judgedIn],
    ['Serves API', target.apiVersion ? `up to ${target.apiVersion}` : ''],
    ['Platform', [target.os, target.arch, target.kernel].filter(Boolean).join(' ')],
    ['Dialect', target.dialect],
    ['Date', Number.isNaN(started.getTime()) ? '' : `${started.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ['Took', `${(report.durationMs / 1000).toFixed(1)} s`],
  ];
  return facts.filter(([, text]) => text !== '');
}

function pair(term: string, text: string): HTMLElement[] {
  return [el('div', {}, el('dt', {}, term), el('dd', {}, visible(text)))];
}

function notices(): HTMLElement[] {
  const list: string[] = [];
  for (const { after, reason } of report.restarts) list.push(`The target died after ${after} and came back: ${reason}`);
  if (report.lost) list.push(`The target was lost after ${report.lost.after}: ${report.lost.reason}`);
  if (report.left.length > 0) list.push(`Could not be removed from the target: ${report.left.join(', ')}`);
  return list.map((text) => el('p', { class: 'notice' }, visible(text)));
}

/** Why rules were skipped: short at first, with details when opened. */
function lacking(): Node | string {
  const lacks = Object.entries(report.target.lacks);
  if (lacks.length === 0) return '';
  return el(
    'details',
    { class: 'notice' },
    el(
      'summary',
      {},
      `The target, or this run, lacks ${visible(lacks.map(([name]) => lackingInWords(name)).join(', '))}`,
    ),
    el(
      'ul',
      {},
      lacks.map(([name, why]) => el('li', {}, el('b', {}, visible(lackingInWords(name))), `: ${visible(why)}`)),
    ),
  );
}

/** The picture: one bar per area and version. */
export function renderOverview(): void {
  const areas = [...Map.groupBy(report.rules, (rule) => rule.area)];
  const total = areas.length > 1 ? [row('All areas', '', report.rules)] : [];
  const used = countKinds(report.rules.flatMap(resultsOf));
  byId('overview').append(
    el('h2', { id: 'overview-title' }, 'By area and version'),
    el(
      'table',
      { class: 'matrix' },
      el('caption', { class: 'unseen' }, 'Verdicts by area and API version; each cell filters the list of rules'),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('th', { scope: 'col' }, 'Area'),
          report.apis.map((api) => el('th', { scope: 'col' }, api)),
        ),
      ),
      el(
        'tbody',
        {},
        areas.map(([area, rules]) => row(area, area, rules)),
        total,
      ),
    ),
    el(
      'ul',
      { class: 'legend', 'aria-label': 'Legend' },
      kindNames
        .filter((kind) => used[kind] > 0)
        .map((kind) =>
          el('li', {}, el('span', { class: 'swatch', 'data-kind': kind }), `${kinds[kind].label}: ${kinds[kind].says}`),
        ),
    ),
  );
}

function row(title: string, area: string, rules: readonly PageRule[]): HTMLElement {
  const cells = report.apis.map((api) =>
    cell(
      { title, area, api },
      rules.flatMap((rule) => rule.results[api] ?? []),
    ),
  );
  return el('tr', { class: area === '' && 'total' }, el('th', { scope: 'row' }, title), cells);
}

interface Place {
  readonly title: string;
  readonly area: string;
  readonly api: string;
}

function cell({ title, area, api }: Place, results: readonly PageResult[]): HTMLElement {
  if (results.length === 0) return el('td', { class: 'none' }, 'no rules');
  const counts = countKinds(results);
  const shown = kindNames.filter((kind) => counts[kind] > 0);
  const spoken = shown.map((kind) => `${counts[kind]} ${kinds[kind].label}`).join(', ');
  const problems = problemKinds.filter((kind) => counts[kind] > 0);
  return el(
    'td',
    {},
    el(
      'button',
      {
        type: 'button',
        class: 'cell',
        title: spoken,
        on: { click: () => showOnly({ area, version: api, verdict: problems }) },
      },
      bar(shown, counts),
      el(
        'span',
        { class: 'figures' },
        el('span', { class: 'unseen' }, `${title}, API ${api}: `),
        el(
          'span',
          {},
          el('b', {}, counts.pass.toLocaleString('en')),
          el('span', { class: 'of' }, ` of ${results.length.toLocaleString('en')} pass`),
        ),
        el(
          'span',
          { class: 'problems' },
          countedKinds.filter((kind) => counts[kind] > 0).map((kind) => figure(kind, counts[kind])),
        ),
      ),
    ),
  );
}

function figure(kind: Kind, count: number): HTMLElement {
  const { mark, label } = kinds[kind];
  return el(
    'span',
    { 'data-kind': kind },
    el('span', { 'aria-hidden': 'true' }, `${mark} `),
    count.toLocaleString('en'),
    el('span', { class: 'unseen' }, ` ${label}`),
  );
}

function bar(shown: readonly Kind[], counts: KindCounts): HTMLElement {
  const parts = shown.map((kind) => {
    const part = el('span', { 'data-kind': kind });
    part.style.flexGrow = String(counts[kind]);
    return part;
  });
  return el('span', { class: 'bar' }, parts);
}
