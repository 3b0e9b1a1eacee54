import type { Cause } from '../../reports/causes/cause.ts';
import { extentInWords } from '../../reports/causes/words.ts';
import { visibleLine } from '../../reports/visible.ts';
import type { Colors } from './colors.ts';

/** Causes shown at the end of a run; the page has all of them. */
const told = 40;
/** Limit in characters for a sentence, which may contain what a daemon sent. */
const shown = 160;

/** One line for each cause, most serious first. */
export function causeLines(causes: readonly Cause[], colors: Colors): string[] {
  if (causes.length === 0) return [];
  const lines = causes.slice(0, told).map((cause) => {
    const text = visibleLine(cause.says);
    const says = text.length > shown ? `${text.slice(0, shown)}…` : text;
    return `  ${markOf(cause, colors)} ${says} ${colors.dim(`(${extentInWords(cause)})`)}`;
  });
  const rest = causes.length - lines.length;
  return [
    `${causes.length === 1 ? '1 cause' : `${causes.length} causes, the gravest first`}:`,
    ...lines,
    ...(rest > 0 ? [`  ${rest} more are in index.html`] : []),
  ];
}

/** Red is only for what is to be fixed. */
function markOf({ sort, level }: Cause, colors: Colors): string {
  if (sort === 'not-reached') return colors.yellow('■');
  return level === 'should' ? colors.yellow('!') : colors.red('✗');
}
