import { escaped } from '../contract/markup.ts';
import { percentOf } from '../standing.ts';
import type { Release, Trend } from './trends.ts';

/** Measures of the picture, in pixels. */
const [step, height, top, bottom, left] = [96, 220, 28, 60, 48];
const narrowest = 320;

/**
 * The share of judged rules that each release of an engine keeps, as a line, and below it how many rules broke and were
 * mended. The table next to it has the same data for those who cannot see it.
 * @param id the id of the picture's title, unique on its page
 */
export function trendPicture({ product, releases }: Trend, id: string): string {
  const width = Math.max(narrowest, left + step * releases.length);
  const lowest = lowestShown(releases);
  const across = (place: number) => left + step * (place + 0.5);
  const down = (share: number) => top + ((100 - share) / (100 - lowest)) * (height - top - bottom);
  const points = releases.map((release, place) => [across(place), down(shareOf(release))] as const);
  return `<svg class="trend" role="img" aria-labelledby="${id}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title id="${id}">${escaped(spoken(product, releases))}</title>
${[100, lowest].map((share) => gridLine(share, down(share), width)).join('\n')}
<polyline class="line" points="${points.map((point) => point.join(',')).join(' ')}"/>
${releases.map((release, place) => mark(release, points[place] ?? [0, 0])).join('\n')}
</svg>`;
}

function mark({ name, standing, broke, mended }: Release, [x, y]: readonly [number, number]): string {
  const texts = [
    `<text class="share" x="${x}" y="${y - 10}">${percentOf(standing.kept, standing.judged)} %</text>`,
    `<text x="${x}" y="${height - bottom + 22}">${escaped(shortened(name))}</text>`,
    broke.length > 0 ? `<text class="broke" x="${x}" y="${height - 20}">✕ ${broke.length} broke</text>` : '',
    mended.length > 0 ? `<text class="mended" x="${x}" y="${height - 4}">✓ ${mended.length} fixed</text>` : '',
  ];
  return [`<circle cx="${x}" cy="${y}" r="4"/>`, ...texts.filter(Boolean)].join('\n');
}

function gridLine(share: number, y: number, width: number): string {
  return `<line class="grid" x1="${left}" x2="${width}" y1="${y}" y2="${y}"/>\n<text class="axis" x="${left - 8}" y="${y + 4}">${share} %</text>`;
}

function shareOf({ standing: { kept, judged } }: Release): number {
  return judged === 0 ? 0 : (100 * kept) / judged;
}

/** In steps of ten, and never 100, so that the line has room. */
function lowestShown(releases: readonly Release[]): number {
  return Math.min(90, Math.floor(Math.min(...releases.map(shareOf)) / 10) * 10);
}

function shortened(name: string): string {
  return name.length > 14 ? `${name.slice(0, 13)}…` : name;
}

function spoken(product: string, releases: readonly Release[]): string {
  const told = releases.map(({ name, standing }) => `${name} ${percentOf(standing.kept, standing.judged)} %`);
  return `Judged rules that ${product || 'the engine'} keeps, by release: ${told.join(', ')}`;
}
