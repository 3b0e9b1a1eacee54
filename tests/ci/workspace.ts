import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { workplace } from '../workplace.ts';

/** The directory of this repository, which is that of the action. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * What npm installs in jobs of tests: a version, of which it finds this build in their directories. That it installs the packed
 * package and runs it is tested with the package.
 */
export const installed = `engine-conformance@${JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')).version}`;

/** A new directory for the commands of a job, in which npm finds this build. */
export function newWorkspace(): string {
  const workspace = path.join(mkdtempSync(path.join(workplace, 'job-')), 'workspace');
  const modules = path.join(workspace, 'node_modules');
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  symlinkSync(repository, path.join(modules, 'engine-conformance'));
  symlinkSync('../engine-conformance/dist/cli/main.js', path.join(modules, '.bin', 'engine-conformance'));
  return workspace;
}
