import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { probeProgram, psProgram } from '../../harness/probe/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = ['probe-linux-amd64', 'probe-linux-arm64', 'ps-linux-amd64', 'ps-linux-arm64'];
const compilers = ['gcc', 'aarch64-linux-gnu-gcc'];
const missing = compilers.filter((compiler) => spawnSync(compiler, ['--version']).status !== 0);

let directory = '';
beforeEach(async (context) => {
  if (process.platform !== 'linux') context.skip(`the probe is not built on ${process.platform}`);
  if (missing.length > 0) context.skip(`not installed here: ${missing.join(', ')}`);
  directory = await mkdtemp(join(tmpdir(), 'probe-build-'));
});
afterEach(async () => {
  if (directory) await rm(directory, { recursive: true });
  directory = '';
});

/** Copies the sources to a directory of that name, builds there, and reads the programs, by the names of their files. */
async function buildIn(name: string): Promise<Record<string, Buffer>> {
  const place = join(directory, name);
  await mkdir(place, { recursive: true });
  await cp(join(root, 'harness/probe/src'), join(place, 'harness/probe/src'), { recursive: true });
  await cp(join(root, 'scripts/build-probe.sh'), join(place, 'scripts/build-probe.sh'));
  execFileSync(join(place, 'scripts/build-probe.sh'), { stdio: 'pipe' });
  const read = async (file: string) => [file, await readFile(join(place, 'harness/probe/bin', file))] as const;
  return Object.fromEntries(await Promise.all(files.map(read)));
}

test('two builds in different directories give the same bytes', { timeout: 60_000 }, async () => {
  const one = await buildIn('a');
  const two = await buildIn('another place/much deeper');
  expect(one).toEqual(two);
});

test('the programs in the repository are what their sources give', { timeout: 60_000 }, async (context) => {
  const versions = compilers.map((compiler) => execFileSync(compiler, ['-dumpfullversion'], { encoding: 'utf8' }));
  const others = versions.filter((version) => version.trim() !== '12.2.0');
  if (others.length > 0) context.skip(`they were built with gcc 12.2.0, here it is ${others.join(', ')}`);
  expect(await buildIn('again')).toEqual({
    'probe-linux-amd64': await probeProgram('amd64'),
    'probe-linux-arm64': await probeProgram('arm64'),
    'ps-linux-amd64': await psProgram('amd64'),
    'ps-linux-arm64': await psProgram('arm64'),
  });
});
