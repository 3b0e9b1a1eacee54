import { readFileSync } from 'node:fs';
import { escaped, link, page } from '../contract/markup.ts';
import { thousands } from '../counted.ts';
import type { ReportPage } from '../html/comparison-data.ts';
import { percentOf } from '../standing.ts';
import { trendPicture } from './trend-picture.ts';
import type { Release, Trend } from './trends.ts';

/** The page of a site with the trend of each engine over its releases: a picture, what broke, and what was mended. */
export function trendsPage(trends: readonly Trend[], pages: readonly ReportPage[]): string {
  const style = ['colours', 'base', 'contract', 'trends'].map((name) =>
    readFileSync(new URL(`../html/style/${name}.css`, import.meta.url), 'utf8'),
  );
  return page(
    'Engines over their releases',
    `<header>
<p class="eyebrow">${link('index.html', 'Compared with each other')}</p>
<h1>Engines over their releases</h1>
<p>The share of the judged rules that each release keeps. A rule is kept if it holds in every API version in which it was decided.</p>
</header>
<main>
${trends.map((trend, place) => section(trend, place, pages)).join('\n')}</main>
`,
    `<style>\n${style.join('\n')}</style>`,
  );
}

function section(trend: Trend, place: number, pages: readonly ReportPage[]): string {
  const heading = `engine-${place}`;
  // Newest first, as readers look for what is new.
  const rows = trend.releases.toReversed().map((release) => row(release, pages));
  return `<section aria-labelledby="${heading}">
<h2 id="${heading}">${escaped(trend.product || 'Unnamed engine')}</h2>
<div class="wide" tabindex="0" role="group" aria-labelledby="${heading}">
${trendPicture(trend, `${heading}-picture`)}
</div>
<table>
<thead><tr><th scope="col">Release</th><th scope="col">Keeps</th><th scope="col">Broke</th><th scope="col">Fixed</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</section>`;
}

function row({ name, place, standing, broke, mended }: Release, pages: readonly ReportPage[]): string {
  const address = pages[place]?.page ?? '';
  const { kept, judged } = standing;
  const share = `${percentOf(kept, judged)} % <span class="soft">${thousands(kept)} of ${thousands(judged)}</span>`;
  return `<tr><th scope="row">${link(address, escaped(name))}</th><td>${share}</td><td>${listed(broke, address)}</td><td>${listed(mended, address)}</td></tr>`;
}

/** The number of rules, which opens to their names; each leads to its place in the report. */
function listed(rules: readonly string[], address: string): string {
  if (rules.length === 0) return '<span class="soft">none</span>';
  const items = rules.map((rule) => `<li>${link(`${address}#rule=${encodeURIComponent(rule)}`, escaped(rule))}</li>`);
  return `<details><summary>${rules.length} rule${rules.length === 1 ? '' : 's'}</summary><ul>${items.join('')}</ul></details>`;
}
