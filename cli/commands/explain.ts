import { isPattern } from '../../harness/rule-pattern.ts';
import { checksOf } from '../checks.ts';
import { exitStatus } from '../exit-status.ts';
import { embeddedExample } from '../explain/example.ts';
import { explanationOf } from '../explain/explanation.ts';
import { explanationText } from '../explain/text.ts';
import { matching, ruleOf } from '../selection.ts';
import { colorsFor } from '../terminal/colors.ts';

export interface ExplainFlags {
  readonly format: 'text' | 'json';
  /** Whether to run the rule's check on the embedded engine for an example. */
  readonly example: boolean;
}

/**
 * Prints everything that is known about one rule, or about each rule that a pattern matches. @returns the exit status
 */
export async function explainCommand(asked: string, flags: ExplainFlags): Promise<number> {
  if (isPattern(asked)) return explainEach(asked, flags);
  const rule = ruleOf(asked);
  const check = (await checksOf([rule])).get(rule.id);
  // A property generates hundreds of inputs; the rules that it decides have their own examples.
  const isShown = flags.example && check && rule.kind !== 'property';
  const example = isShown ? await embeddedExample(check) : undefined;
  const explanation = explanationOf(rule, check, example);
  process.stdout.write(
    flags.format === 'json'
      ? `${JSON.stringify(explanation, undefined, 2)}\n`
      : explanationText(explanation, colorsFor(process.stdout)),
  );
  return exitStatus.kept;
}

/** Example answers are only for a single rule, as each needs a run. */
async function explainEach(pattern: string, flags: ExplainFlags): Promise<number> {
  const rules = matching([pattern]);
  const checks = await checksOf(rules);
  const explanations = rules.map((rule) => explanationOf(rule, checks.get(rule.id), undefined));
  const colors = colorsFor(process.stdout);
  process.stdout.write(
    flags.format === 'json'
      ? `${JSON.stringify({ rules: explanations }, undefined, 2)}\n`
      : explanations.map((explanation) => explanationText(explanation, colors)).join('\n'),
  );
  return exitStatus.kept;
}
