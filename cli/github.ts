import { appendFile } from 'node:fs/promises';
import type { RunHandler } from '../harness/events.ts';
import { annotationsOf } from '../reports/annotations.ts';
import type { FindCauses } from '../reports/causes/once.ts';
import { markdownSummary } from '../reports/markdown.ts';
import { whenEnded } from '../reports/run-record.ts';
import { allRules } from '../specs/catalogue.ts';

/**
 * What a GitHub Actions job shows of a run: annotations, and the summary of the step. Elsewhere there is no handler.
 * @param say prints a line that the job's runner reads, wherever it is printed
 */
export function githubReport(
  say: (line: string) => void,
  findCauses: FindCauses,
  env: NodeJS.ProcessEnv = process.env,
): RunHandler[] {
  if (env.GITHUB_ACTIONS !== 'true') return [];
  const annotate = whenEnded(async (record) => {
    for (const line of annotationsOf(record)) say(line);
    if (env.GITHUB_STEP_SUMMARY) await summarizeStep(await markdownSummary(record, allRules, { findCauses }), say, env);
  });
  return [annotate];
}

/** Adds a page of Markdown to the summary of the step, if there is one. */
export async function summarizeStep(
  markdown: string,
  say: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true' || !env.GITHUB_STEP_SUMMARY) return;
  try {
    await appendFile(env.GITHUB_STEP_SUMMARY, markdown);
  } catch (error) {
    say(`could not write the step summary: ${error instanceof Error ? error.message : String(error)}`);
  }
}
