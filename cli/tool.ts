import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../harness/runner/worker.ts';

/** Name and version of this package. */
export function thisTool(): { readonly name: string; readonly version: string } {
  const { name, version } = Object(JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')));
  return { name: String(name), version: String(version) };
}
