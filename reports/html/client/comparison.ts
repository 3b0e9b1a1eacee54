import { visible } from '../../visible.ts';
import type { ComparisonData } from '../comparison-data.ts';
import { el } from './dom.ts';
import { embedded } from './embedded.ts';
import { kinds } from './kinds.ts';

/** The comparison on this page. */
export const comparison = embedded('comparison');

export type Report = ComparisonData['reports'][number];

/** The report with this index; reports are always referred to by index. */
export function reportAt(place: number): Report {
  const report = comparison.reports[place];
  if (!report) throw new Error(`No report has the place ${place}`);
  return report;
}

/** A rule with its verdicts in each report. */
export type ComparedRow = ComparisonData['rules'][number];

export function nameOf(place: number): string {
  return visible(reportAt(place).name);
}

/** The address of a rule in the page of a report; undefined if there is no such page. */
function addressOf(place: number, rule?: { readonly rule: string; readonly api: string }): string | undefined {
  const page = comparison.pages?.[place]?.page;
  if (page === undefined) return undefined;
  return rule === undefined ? page : `${page}#${new URLSearchParams({ ...rule })}`;
}

/** The name of a report, as a link to its page if there is one. */
export function linkTo(place: number): Node | string {
  const href = addressOf(place);
  return href === undefined ? nameOf(place) : el('a', { href }, nameOf(place));
}

/** The badge of a report, as a link to its file; nothing if there is none. */
export function badgeOf(place: number): Node | string {
  const own = comparison.pages?.[place];
  if (own === undefined) return '';
  const src = `data:image/svg+xml,${encodeURIComponent(own.picture)}`;
  const alt = `Badge of ${nameOf(place)}: ${visible(reportAt(place).overall.says)}`;
  return el('a', { class: 'badge', href: own.badge }, el('img', { src, alt }));
}

/** The verdicts on a rule in one report, combined: `✓ pass`, or with the versions where they differ. */
export function cellOf(row: ComparedRow, place: number): HTMLElement[] {
  const verdicts = row.verdicts[place];
  if (!verdicts) return [el('span', { class: 'absent' }, 'not judged')];
  const byKind = Map.groupBy(Object.entries(verdicts), ([, kind]) => kind);
  return [...byKind].map(([kind, own]) => {
    const versions = own.map(([api]) => api);
    const says = byKind.size === 1 ? kinds[kind].label : versions.join(' ');
    const href = addressOf(place, { rule: row.rule, api: versions[0] ?? '' });
    return el(
      href === undefined ? 'span' : 'a',
      { class: 'pill', 'data-kind': kind, href },
      el('span', { class: 'mark', 'aria-hidden': 'true' }, kinds[kind].mark),
      byKind.size === 1 ? '' : el('span', { class: 'unseen' }, `${kinds[kind].label} in `),
      says,
    );
  });
}
