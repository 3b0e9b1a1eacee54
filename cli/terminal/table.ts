import type { Counts, Summary } from '../../reports/summary.ts';
import { visibleLine } from '../../reports/visible.ts';
import { apiVersions } from '../../specs/versions.ts';
import type { Colors } from './colors.ts';

interface Column {
  readonly title: string;
  readonly of: (counts: Counts) => number;
  /** Shown only if it has any. */
  readonly rare?: boolean;
  readonly paint?: 'green' | 'red' | 'yellow' | 'magenta';
}

const columns: readonly Column[] = [
  { title: 'pass', of: ({ pass }) => pass, paint: 'green' },
  { title: 'fail', of: ({ fail, shouldFail }) => fail - shouldFail, paint: 'red' },
  { title: 'should', of: ({ shouldFail }) => shouldFail, paint: 'yellow' },
  { title: 'blocked', of: ({ blocked }) => blocked, paint: 'yellow' },
  { title: 'skip', of: ({ skip }) => skip },
  { title: 'observed', of: ({ observed }) => observed },
  { title: 'untested', of: ({ untested }) => untested },
  { title: 'waived', of: ({ waived }) => waived, rare: true },
  { title: 'error', of: ({ error }) => error, rare: true, paint: 'magenta' },
];

/**
 * Verdicts by area and version, then in total. `fail` counts deviations at level must, `should` those where the
 * documents are loose.
 */
export function verdictTable({ areas, counts }: Summary, colors: Colors): string {
  const shown = columns.filter(({ rare, of }) => !rare || of(counts) > 0);
  const rows: { area: string; api: string; counts: Counts }[] = Object.entries(areas).flatMap(([area, versions]) =>
    apiVersions.flatMap((api) => {
      const one = versions[api];
      return one ? [{ area: visibleLine(area), api, counts: one }] : [];
    }),
  );
  rows.push({ area: 'all', api: '', counts });
  const width = Math.max(4, ...rows.map(({ area }) => area.length));
  const header = `${'area'.padEnd(width)}  API   ${shown.map(({ title }) => title.padStart(8)).join('  ')}`;
  const lines = rows.map((row) => {
    const cells = shown.map(({ of, paint }) => {
      const number = of(row.counts);
      const cell = number.toString().padStart(8);
      if (number === 0) return colors.dim(cell);
      return paint ? colors[paint](cell) : cell;
    });
    return `${row.area.padEnd(width)}  ${row.api.padEnd(4)}  ${cells.join('  ')}`;
  });
  return [colors.bold(header), ...lines].join('\n');
}
