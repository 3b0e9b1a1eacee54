import { versionsInWords } from '../../specs/versions.ts';
import { checksOf } from '../checks.ts';
import { exitStatus } from '../exit-status.ts';
import { viewOf } from '../rule-view.ts';
import { type SelectionFlags, select } from '../selection.ts';
import { colorsFor } from '../terminal/colors.ts';

export interface ListFlags extends SelectionFlags {
  /** Only rules that no check decides. */
  readonly untested?: boolean;
  readonly format: 'text' | 'json';
}

/** Prints the rules that match. @returns the exit status */
export async function listCommand(flags: ListFlags): Promise<number> {
  const { rules } = select(flags);
  const checks = await checksOf(rules);
  const chosen = flags.untested ? rules.filter(({ id }) => !checks.has(id)) : rules;
  const views = chosen.map((rule) => viewOf(rule, checks.get(rule.id)));
  if (flags.format === 'json') {
    process.stdout.write(`${JSON.stringify({ rules: views }, null, 2)}\n`);
    return exitStatus.kept;
  }
  const colors = colorsFor(process.stdout);
  for (const { id, says, apis, level, checked, endpoint } of views) {
    const marks = [versionsInWords(apis), level, ...(checked ? [] : ['untested'])].join(', ');
    process.stdout.write(`${colors.bold(id)}  ${colors.dim(marks)}\n  ${endpoint ? `${endpoint} ` : ''}${says}\n`);
  }
  const untested = views.filter(({ checked }) => !checked).length;
  process.stdout.write(`${views.length} rules, ${untested} of them without a check\n`);
  return exitStatus.kept;
}
