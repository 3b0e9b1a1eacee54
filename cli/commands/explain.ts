import { declaredChecks } from '../checks.ts';
import { exitStatus } from '../exit-status.ts';
import { embeddedExample } from '../explain/example.ts';
import { explanationOf } from '../explain/explanation.ts';
import { explanationText } from '../explain/text.ts';
import { ruleOf } from '../selection.ts';
import { colorsFor } from '../terminal/colors.ts';

export interface ExplainFlags {
  readonly format: 'text' | 'json';
  /** Whether the rule's check is run on the embedded engine for an example. */
  readonly example: boolean;
}

/** Prints all that is known of one rule. @returns the exit status */
export async function explainCommand(id: string, flags: ExplainFlags): Promise<number> {
  const rule = ruleOf(id);
  const check = declaredChecks().get(id);
  // A property makes inputs by the hundred: what it decides has examples of its own.
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
