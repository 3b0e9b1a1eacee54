import { statSync } from 'node:fs';
import path from 'node:path';

/** The file that is meant by a name: a directory stands for the report in it. */
export function reportFile(name: string): string {
  const isDirectory = statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isDirectory ? path.join(name, 'report.json') : name;
}
