import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/index';
import { parse } from 'yaml';

/** A step of a job or of a composite action, with its expressions. */
export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly (string | number)[]>> };
  readonly steps: readonly Step[];
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

type Parser = typeof parseWorkflow;

/** The jobs of a workflow. @throws Error with what GitHub's own parser finds wrong in it */
export function workflowJobs(content: string): Readonly<Record<string, Job>> {
  return checked(content, parseWorkflow).jobs;
}

/** A composite action. @throws Error with what GitHub's own parser finds wrong in it */
export function compositeAction(content: string): Action {
  return checked(content, parseAction);
}

/** GitHub's parser holds a file against its schema; what it passes has the shape that the caller expects. */
function checked(content: string, parser: Parser) {
  const { context } = parser({ name: 'file.yml', content }, new NoOperationTraceWriter());
  const errors = context.errors.getErrors().map(({ message }) => message);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return parse(content);
}
