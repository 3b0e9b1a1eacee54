import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { workplace } from '../cli/command.ts';

/** The directory of this repository, which is that of the action. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A new directory for the commands of a job, in which `npx engine-conformance@VERSION` finds this build, if it is of that
 * version. (That the packed package runs is tested with the package.)
 */
export function newWorkspace(): string {
  const workspace = path.join(mkdtempSync(path.join(workplace, 'job-')), 'workspace');
  const modules = path.join(workspace, 'node_modules');
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  symlinkSync(repository, path.join(modules, 'engine-conformance'));
  symlinkSync('../engine-conformance/dist/cli/main.js', path.join(modules, '.bin', 'engine-conformance'));
  return workspace;
}
