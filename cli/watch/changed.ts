import type { Result } from '../../harness/events.ts';
import { isNotKept } from '../part.ts';

const named = 5;

/** One line about the changes between two runs of the same rules: newly failing, fixed, still failing. */
export function whatChanged(before: readonly Result[], now: readonly Result[]): string {
  const [failed, fails] = [failingIn(before), failingIn(now)];
  const newly = [...fails].filter((rule) => !failed.has(rule));
  const mended = [...failed].filter((rule) => !fails.has(rule));
  const still = [...fails].filter((rule) => failed.has(rule));
  if (newly.length + mended.length === 0) {
    return still.length === 0 ? 'unchanged: nothing fails' : `unchanged: ${told('still failing', still)}`;
  }
  return `since the last run: ${[told('newly failing', newly), told('fixed', mended), told('still failing', still)]
    .filter((part) => part !== '')
    .join('; ')}`;
}

/** The rules that are broken in some version. */
function failingIn(results: readonly Result[]): ReadonlySet<string> {
  return new Set(results.filter(isNotKept).map(({ rule }) => rule));
}

function told(how: string, rules: readonly string[]): string {
  if (rules.length === 0) return '';
  const more = rules.length > named ? ` and ${rules.length - named} more` : '';
  return `${rules.length} ${how} (${rules.slice(0, named).join(', ')}${more})`;
}
