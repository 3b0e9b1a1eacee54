import { el, visible } from './dom.js';
import { kinds } from './kinds.js';

/** The comparison, as `reports/html/comparison.ts` wrote it. */
export const comparison = JSON.parse(document.getElementById('comparison').textContent);

export const apis = [...new Set(comparison.reports.flatMap((report) => report.apis))].sort((one, other) =>
  one.localeCompare(other, 'en', { numeric: true }),
);

export function nameOf(place) {
  return visible(comparison.reports[place].name);
}

/** The address of a rule in the page of a report; undefined where there is no such page. */
export function addressOf(place, rule, api) {
  const page = comparison.pages?.[place].page;
  if (page === undefined) return undefined;
  return rule === undefined ? page : `${page}#${new URLSearchParams({ rule, api })}`;
}

/** The name of a report, as a link to its page where there is one. */
export function linkTo(place) {
  const href = addressOf(place);
  return href === undefined ? nameOf(place) : el('a', { href }, nameOf(place));
}

/** The badge of a report, as a link to its file; nothing where there is none. */
export function badgeOf(place) {
  const own = comparison.pages?.[place];
  if (own === undefined) return '';
  const src = `data:image/svg+xml,${encodeURIComponent(own.picture)}`;
  const alt = `Badge of ${nameOf(place)}: ${visible(comparison.reports[place].overall.says)}`;
  return el('a', { class: 'badge', href: own.badge }, el('img', { src, alt }));
}

/** The verdicts of a rule in one report, gathered: `✓ pass`, or with the versions where they differ. */
export function cellOf(row, place) {
  const verdicts = row.verdicts[place];
  if (!verdicts) return [el('span', { class: 'absent' }, 'not judged')];
  const byKind = Map.groupBy(Object.entries(verdicts), ([, kind]) => kind);
  return [...byKind].map(([kind, own]) => {
    const versions = own.map(([api]) => api);
    const says = byKind.size === 1 ? kinds[kind].label : versions.join(' ');
    const href = addressOf(place, row.rule, versions[0]);
    return el(
      href === undefined ? 'span' : 'a',
      { class: 'pill', 'data-kind': kind, href },
      el('span', { class: 'mark', 'aria-hidden': 'true' }, kinds[kind].mark),
      byKind.size === 1 ? '' : el('span', { class: 'unseen' }, `${kinds[kind].label} in `),
      says,
    );
  });
}
