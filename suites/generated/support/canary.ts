import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The content of the canary's only file. */
export const secret = 'only for this machine';

/** Runs something with a directory on the suite's own machine, which holds one file. */
export async function withCanary<T>(run: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), 'ec-canary-'));
  try {
    await writeFile(path.join(directory, 'secret'), secret);
    return await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The contents of the directory, by name. */
export async function contentsOf(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory)).sort();
  const contents = names.map(async (name) => [name, await textOf(path.join(directory, name))] as const);
  return Object.fromEntries(await Promise.all(contents));
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => 'something other than a file');
}
