import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../package/npm.ts';

const version = '3.18.0';
const cache = fileURLToPath(new URL('../../node_modules/.cache/engine-conformance', import.meta.url));

/**
 * Allure's command line, which is no dependency, as it is as large as all of them together. It is installed once and
 * kept beside them.
 * @returns the file of the command, or why it cannot be had
 */
export async function allureCommand(): Promise<{ readonly command: string } | { readonly missing: string }> {
  const directory = path.join(cache, `allure-${version}`);
  const command = path.join(directory, 'node_modules', 'allure', 'cli.js');
  if (existsSync(command)) return { command };
  const temporary = `${directory}.${process.pid}`;
  try {
    await mkdir(temporary, { recursive: true });
    await writeFile(path.join(temporary, 'package.json'), '{ "private": true }');
    await npm(temporary, 'install', '--ignore-scripts', `allure@${version}`);
    await rm(directory, { recursive: true, force: true });
    await rename(temporary, directory);
    return { command };
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    return { missing: `allure ${version} cannot be had from the registry: ${String(error)}` };
  }
}
