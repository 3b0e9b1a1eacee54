import type { Report } from './report.ts';

/**
 * The rules for which a run with a baseline ended with 1: those that deviate otherwise than the baseline says, and those
 * of entries that no longer hold, which the run names in lines of its output (`FILE:LINE: RULE …`).
 */
export function standsOut({ results }: Report, output: string, baseline: string): string[] {
  const deviating = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ rule }) => rule);
  const stale = output.split('\n').flatMap((line) => {
    const [, rule] = line.startsWith(`${baseline}:`) ? line.split(': ') : [];
    return rule === undefined ? [] : [rule.split(' ')[0] ?? ''];
  });
  return [...new Set([...deviating, ...stale])];
}
