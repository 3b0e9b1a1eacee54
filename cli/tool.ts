import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../harness/runner/worker.ts';

/** Name and version of this package. */
export function thisTool(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return { name, version };
}
