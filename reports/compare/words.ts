import { counted } from '../counted.ts';
import type { ChangeKind } from './change.ts';
import type { Comparison, Row } from './compare.ts';
import { decisions, isConclusive } from './shared.ts';

/** Headings over the changes of each kind. */
export const changeTitles: Readonly<Record<ChangeKind, string>> = {
  'newly-failing': 'Newly failing',
  'failing-differently': 'Failing differently',
  mended: 'Fixed',
  'newly-judged': 'Newly judged',
  'no-longer-judged': 'No longer judged',
};

/** The outcome of a comparison in one sentence. */
export function countInWords(comparison: Comparison): string {
  const { steps, regressions, reports } = comparison;
  if (steps.length === 0) return sideBySide(reports);
  if (!isConclusive(comparison)) return nothingShared(reports);
  const changes = steps.flatMap((step) => step.changes);
  const count = (kind: ChangeKind) => changes.filter((change) => change.kind === kind).length;
  const found = [
    [count('newly-failing'), 'newly failing'],
    [count('failing-differently'), 'failing differently'],
    [count('mended'), 'fixed'],
  ] as const;
  const told = found.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const head = regressions === 0 ? 'No regression' : `${regressions} regression${regressions === 1 ? '' : 's'}`;
  return `${head}${told.length > 0 ? `: ${told.join(', ')}` : ''}.`;
}

/** Several reports may be of one engine, in other versions. */
function sideBySide(reports: Comparison['reports']): string {
  const engines = new Set(reports.map(({ target }) => JSON.stringify([target.product, target.version]))).size;
  if (engines === reports.length) return `${engines} engines side by side.`;
  return `${reports.length} reports of ${counted(engines, 'engine')} side by side.`;
}

function nothingShared(reports: Comparison['reports']): string {
  const which = reports.length > 2 ? 'no two reports of one engine' : 'the reports';
  const decided = reports.length > 2 ? 'decided a rule' : 'decided no rule';
  return `Inconclusive: ${which} ${decided} in the same API version.`;
}

/**
 * Whether a rule has the same outcome in every report that decided it, in the versions that they share. What was
 * skipped or only observed in one of them says nothing about the engine, and a deviation is the same whether a baseline
 * knows it or not.
 */
export function isAlike(row: Row): boolean {
  return decisions(row).every((own) => new Set(own).size <= 1);
}
