import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { probeProgram } from '../../harness/probe/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
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

/** Copies the sources to a directory of that name, builds there, and reads both programs. */
async function buildIn(name: string): Promise<{ amd64: Buffer; arm64: Buffer }> {
  const place = join(directory, name);
  await mkdir(place, { recursive: true });
  await cp(join(root, 'harness/probe/src'), join(place, 'harness/probe/src'), { recursive: true });
  await cp(join(root, 'scripts/build-probe.sh'), join(place, 'scripts/build-probe.sh'));
  execFileSync(join(place, 'scripts/build-probe.sh'), { stdio: 'pipe' });
  const read = (file: string): Promise<Buffer> => readFile(join(place, 'harness/probe/bin', file));
  return { amd64: await read('probe-linux-amd64'), arm64: await read('probe-linux-arm64') };
}

test('two builds in different directories give the same bytes', { timeout: 60_000 }, async () => {
  const one = await buildIn('a');
  const two = await buildIn('another place/much deeper');
  expect(one.amd64.equals(two.amd64)).toBe(true);
  expect(one.arm64.equals(two.arm64)).toBe(true);
});

test('the programs in the repository are what their sources give', { timeout: 60_000 }, async (context) => {
  const versions = compilers.map((compiler) => execFileSync(compiler, ['-dumpfullversion'], { encoding: 'utf8' }));
  const others = versions.filter((version) => version.trim() !== '12.2.0');
  if (others.length > 0) context.skip(`they were built with gcc 12.2.0, here it is ${others.join(', ')}`);
  const built = await buildIn('again');
  expect(built.amd64.equals(await probeProgram('amd64'))).toBe(true);
  expect(built.arm64.equals(await probeProgram('arm64'))).toBe(true);
});
