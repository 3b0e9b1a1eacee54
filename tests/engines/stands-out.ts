import type { JudgedRule, Report } from './report.ts';

/**
 * The rules for which a run with a baseline ended with 1: those that deviate, or could not be decided, otherwise than the
 * baseline says, and those of entries that no longer hold, which the run names in lines of its output (`FILE:LINE: RULE …`).
 */
export function standsOut({ results }: Report, output: string, baseline: string): string[] {
  const deviating = results.filter(turnsTheStatus).map(({ rule }) => rule);
  const stale = output.split('\n').flatMap((line) => {
    const [, rule] = line.startsWith(`${baseline}:`) ? line.split(': ') : [];
    return rule === undefined ? [] : [rule.split(' ')[0] ?? ''];
  });
  return [...new Set([...deviating, ...stale])];
}

/** A line for each verdict that stands out, then what the run wrote: the first lines of a message are those that are read. */
export function whatStandsOut(report: Report, output: string, baseline: string): string {
  const lines = report.results
    .filter(turnsTheStatus)
    .map(({ rule, api, verdict, reason }) => `${verdict} ${rule} [${api}] ${reason}`);
  const stale = output.split('\n').filter((line) => line.startsWith(`${baseline}:`));
  return [...lines, ...stale, told(output)].join('\n');
}

function turnsTheStatus({ verdict, level }: JudgedRule): boolean {
  return verdict === 'fail' || verdict === 'error' || (verdict === 'blocked' && level !== 'observe');
}

/** What a run wrote, without the lines of its progress, of which a long one has hundreds. */
export function told(output: string): string {
  return output.replaceAll(/^\d+ of \d+ verdicts?,.*\n/gm, '');
}
