import { capabilities } from '../../specs/capabilities.ts';
import { declaredChecks } from '../checks.ts';
import { exitStatus } from '../exit-status.ts';
import { viewOf } from '../rule-view.ts';
import { ruleOf } from '../selection.ts';
import { colorsFor } from '../terminal/colors.ts';

/** Prints all that is known of one rule. @returns the exit status */
export function explainCommand(id: string): number {
  const rule = ruleOf(id);
  const check = declaredChecks().get(id);
  const view = viewOf(rule, check);
  const colors = colorsFor(process.stdout);
  const lines = [
    colors.bold(view.id),
    `${view.endpoint ?? view.area} ${view.says}`,
    '',
    ...entry('source', [view.source ?? '']),
    ...entry('level', [levels[view.level]]),
    ...entry('kind', [view.kind]),
    ...entry('versions', [view.apis.join(', ')]),
    ...entry(
      'interpretation',
      view.interpretations.flatMap(({ id: name, place, reading }) => [`${name}: ${place}`, `read as: ${reading}`]),
    ),
    ...entry(
      'needs',
      rule.needs.map((need) => `${need}: ${capabilities[need]}`),
    ),
    ...entry('decides', view.decides ?? []),
    ...entry('check', [check ? 'a check decides this rule' : `untested: ${view.unchecked ?? 'no check decides it'}`]),
    ...entry('proven by', view.faults),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return exitStatus.kept;
}

const levels = {
  must: 'must (stated; a deviation is a failure)',
  should: 'should (stated, but the documents are loose about it)',
  observe: 'observe (recorded, never judged)',
};

const labelWidth = 16;

function entry(label: string, values: readonly string[]): string[] {
  return values.map((value, place) => `${(place === 0 ? `${label}:` : '').padEnd(labelWidth)}${value}`);
}
