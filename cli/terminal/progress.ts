import type { Result, RunStarted } from '../../harness/events.ts';
import { visibleLine } from '../../reports/visible.ts';
import type { Rule } from '../../specs/rule.ts';
import { holdsIn } from '../../specs/versions.ts';
import type { Colors } from './colors.ts';

interface AreaCount {
  readonly total: number;
  done: number;
  bad: number;
}

const barWidth = 20;

/** Counts verdicts as they come, by area. */
export class Progress {
  readonly #started = Date.now();
  readonly #total: number;
  readonly #areas = new Map<string, AreaCount>();
  readonly #counts = { fail: 0, blocked: 0, error: 0, waived: 0 };
  #done = 0;

  /** @param rules the rules that are judged */
  constructor({ apis, total }: Pick<RunStarted, 'apis' | 'total'>, rules: readonly Rule[]) {
    this.#total = total;
    const totals = new Map<string, number>();
    for (const rule of rules) {
      const versions = apis.filter((api) => holdsIn(rule, api)).length;
      totals.set(rule.area, (totals.get(rule.area) ?? 0) + versions);
    }
    for (const [area, areaTotal] of totals) this.#areas.set(area, { total: areaTotal, done: 0, bad: 0 });
  }

  add({ verdict, area }: Result): void {
    this.#done++;
    const count = this.#areas.get(area);
    if (count) count.done++;
    if (verdict !== 'fail' && verdict !== 'blocked' && verdict !== 'error' && verdict !== 'waived') return;
    this.#counts[verdict]++;
    if (count && verdict !== 'waived') count.bad++;
  }

  /** One line for the whole run, then one for each area in progress. */
  lines(colors: Colors): string[] {
    const seconds = Math.round((Date.now() - this.#started) / 1000);
    const found = Object.entries(this.#counts).filter(([, count]) => count > 0);
    const notable = found.map(([verdict, count]) => `${count} ${verdict}`);
    const summary = [`${this.#done} of ${verdictsOf(this.#total)}`, ...notable, `${seconds} s`].join(', ');
    const width = Math.max(...[...this.#areas.keys()].map((area) => area.length), 0);
    const areas = [...this.#areas].map(([area, { total, done, bad }]) => {
      const filled = total === 0 ? barWidth : Math.floor((done / total) * barWidth);
      const bar = '█'.repeat(filled) + colors.dim('░'.repeat(barWidth - filled));
      const deviations = bad > 0 ? colors.red(`  ${bad} failed or blocked`) : '';
      return `  ${visibleLine(area).padEnd(width)}  ${bar}  ${done}/${total}${deviations}`;
    });
    return [summary, ...areas];
  }
}

/** `1 verdict`, `12 verdicts` */
export function verdictsOf(number: number): string {
  return `${number} verdict${number === 1 ? '' : 's'}`;
}
