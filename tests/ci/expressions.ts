import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

/** What an expression can name: `inputs`, `steps`, `matrix` and the like. */
export type Contexts = Readonly<Record<string, unknown>>;

type Functions = NonNullable<ConstructorParameters<typeof Evaluator>[2]>;

/** Evaluates an expression as GitHub does, with its status functions for a job in which a step failed or none did. */
function evaluate(expression: string, contexts: Contexts, failed: boolean): data.ExpressionData {
  const status = { success: !failed, failure: failed, always: true, cancelled: false };
  const functions: Functions = new Map(
    Object.entries(status).map(([name, value]) => [
      name,
      { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) },
    ]),
  );
  const { tokens } = new Lexer(expression).lex();
  const parsed = new Parser(tokens, Object.keys(contexts), [...functions.values()]).parse();
  const values: data.Dictionary = JSON.parse(JSON.stringify(contexts), data.reviver);
  return new Evaluator(parsed, values, functions).evaluate();
}

/** A text with the values of its `${{ … }}`. */
export function interpolated(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    evaluate(expression, contexts, false).coerceString(),
  );
}

/** Whether a step is to run. A condition that asks for no status asks for success. */
export function holds(condition: string | undefined, contexts: Contexts, failed: boolean): boolean {
  if (condition === undefined) return !failed;
  const expression = condition.replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1');
  if (failed && !/\b(success|failure|always|cancelled)\(\)/.test(expression)) return false;
  return evaluate(expression, contexts, failed).coerceString() === 'true';
}
