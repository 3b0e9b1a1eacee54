import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Name and version of this package. */
export function thisTool(): { readonly name: string; readonly version: string } {
  const { name, version } = Object(JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')));
  return { name: String(name), version: String(version) };
}

/**
 * The root of the package: the folder with package.json, found from the sources and from the build alike.
 * @throws Error where there is none, as when the build was copied without it
 */
function packageRoot(): string {
  const start = path.dirname(fileURLToPath(import.meta.url));
  for (let directory = start; directory !== path.dirname(directory); directory = path.dirname(directory)) {
    if (existsSync(path.join(directory, 'package.json'))) return directory;
  }
  throw new Error(`no package.json above ${start}: the package is incomplete; install it again`);
}
