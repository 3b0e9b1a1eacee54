import { grouped } from '../grouped.ts';
import { type Standing, standingOf } from '../standing.ts';
import type { StoredReport } from '../stored/stored-report.ts';
import { changeBetween, type Judging } from './change.ts';

/** An engine over its releases, the oldest first. */
export interface Trend {
  readonly product: string;
  readonly releases: readonly Release[];
}

export interface Release {
  /** The index of its report. */
  readonly place: number;
  /** The version, with the day if several reports have the same version. */
  readonly name: string;
  readonly standing: Standing;
  /** Rules that the previous release kept, and this one breaks. */
  readonly broke: readonly string[];
  /** Rules that the previous release broke, and this one keeps. */
  readonly mended: readonly string[];
}

/** The trend of each engine with several reports. */
export function trendsOf(reports: readonly StoredReport[], judging: Judging): Trend[] {
  const engines = grouped(reports.keys(), (place) => reports[place]?.target.product ?? '');
  return [...engines].flatMap(([product, places]) => {
    if (places.length < 2) return [];
    const own = places.flatMap((place) => {
      const report = reports[place];
      return report ? [{ place, report }] : [];
    });
    const inOrder = own.toSorted((one, other) => compareReleases(one.report, other.report));
    const releases = inOrder.map(({ place, report }, at) => ({
      place,
      name: nameAmong(report, inOrder),
      standing: standingOf(report.results),
      ...changesBetween(inOrder[at - 1]?.report, report, judging),
    }));
    return [{ product, releases }];
  });
}

/** By version, and for the same version by the time of the run. */
function compareReleases(one: StoredReport, other: StoredReport): number {
  return (
    one.target.version.localeCompare(other.target.version, 'en', { numeric: true }) ||
    Date.parse(one.startedAt) - Date.parse(other.startedAt)
  );
}

function nameAmong({ target, startedAt }: StoredReport, all: readonly { readonly report: StoredReport }[]): string {
  const version = target.version || 'unnamed';
  const isAlone = all.filter(({ report }) => report.target.version === target.version).length === 1;
  return isAlone ? version : `${version}, ${startedAt.slice(0, 10)}`;
}

/** A rule that broke in one version and was mended in another counts as broken. */
function changesBetween(
  before: StoredReport | undefined,
  after: StoredReport,
  judging: Judging,
): Pick<Release, 'broke' | 'mended'> {
  if (!before) return { broke: [], mended: [] };
  const earlier = new Map(before.results.map((result) => [`${result.rule} ${result.api}`, result]));
  const changes = after.results.flatMap((result) => {
    const was = earlier.get(`${result.rule} ${result.api}`);
    return (was && changeBetween(was, result, judging)) ?? [];
  });
  const rulesOf = (kind: string) => new Set(changes.filter((one) => one.kind === kind).map(({ rule }) => rule));
  const broke = rulesOf('newly-failing');
  return { broke: [...broke], mended: [...rulesOf('mended')].filter((rule) => !broke.has(rule)) };
}
