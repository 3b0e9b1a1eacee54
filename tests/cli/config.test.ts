import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { afterEach, expect, test } from 'vitest';
import { otherKeys, readSettings, settingKeys } from '../../cli/config/settings.ts';
import { configFile, useConfig } from '../../cli/config/use-config.ts';
import { buildProgram } from '../../cli/program.ts';
import { workplace } from '../workplace.ts';
import { engineConformance } from './command.ts';
import { smallEngine, wrongPing } from './small-engine.ts';

const found = path.join(workplace, configFile);
afterEach(() => rmSync(found, { force: true }));

function fileOf(name: string, text: string): string {
  const file = path.join(workplace, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test('the file of the working directory is what the command line does not say', async () => {
  const { address } = await smallEngine(wrongPing);
  const entry = { rule: 'system.ping.body-OK', does: 'answers another text', reason: 'older', kind: 'intended' };
  fileOf('known/engine.yaml', `- ${JSON.stringify(entry)}\n`);
  fileOf(
    configFile,
    [`target: ${address}`, 'only: system.ping.*', "api: ['1.20', '1.21']", 'baseline: known/engine.yaml', ''].join(
      '\n',
    ),
  );
  const { status, stdout, stderr } = await engineConformance(['run', '--api', '1.21']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(`settings from ${configFile}`);
  expect(stdout).toMatch(/verdicts in API 1\.21;/);
  expect(stdout).toMatch(/1 deviates as recorded in the baseline \(1 intended\)/);
});

/** What `run` would be given, with a file and what stands on the command line. */
async function flagsWith(text: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
  const file = fileOf('elsewhere/settings.yaml', text);
  const run = runOf();
  run.parseOptions(['--config', file, ...args]);
  await useConfig(run);
  return run.opts();
}

function runOf(): Command {
  const run = buildProgram(() => {}).commands.find((command) => command.name() === 'run');
  if (!run) throw new Error('there is a command run');
  return run;
}

test('a setting is what the option of its name would be, and files are beside the file', async () => {
  const text =
    "api: ['1.21', newest]\nskip: [a.*, b.*]\nlevel: must\ntimeout: 1.5\nconfirm: 3\nquiet: true\nhostile: false\nbaseline: b.yaml\n";
  expect(await flagsWith(text, '--skip', 'c.*')).toMatchObject({
    ...{ api: ['1.21', 'newest'], skip: ['c.*'], level: ['must'], timeout: 1500, confirm: 3, quiet: true },
    baseline: path.join(workplace, 'elsewhere/b.yaml'),
  });
  expect(await flagsWith('# nothing\n')).not.toHaveProperty('hostile');
});

test.each([
  ['fail-on: should\nonyl: a', ":2: 'onyl' is not a setting; did you mean 'only'?"],
  ['auth-password: x', ":1: 'auth-password' is not a setting; it is a secret: set ENGINE_AUTH_PASSWORD"],
  ['\nshard: 1/2', ":2: 'shard' is not a setting; it belongs to one run"],
  ['quiet: true\napi: [1.20]', ':2: api: write 1.20 in quotes'],
  ['api: 1.20', ':1: api: write 1.20 in quotes'],
  ['fail-on: may', ':1: fail-on: must be one of must, should'],
  ['timeout: long', ':1: timeout: must be a number'],
  ['confirm: 500', ':1: confirm: It must be a whole number from 1 to 100.'],
  ['api: ["7.1"]', ':1: api: The API versions of the contract are'],
  ['only: [', ':1: not valid YAML'],
  ['- only', ': settings must be a map of option names to values'],
])('%j is refused with file and line', async (text, says) => {
  await expect(flagsWith(text)).rejects.toThrow(`settings.yaml${says}`);
});

test('a file that is named has to be there', async () => {
  const { status, stderr } = await engineConformance(['run', '--config', 'nowhere.yaml']);
  expect(stderr).toMatch(/^error: cannot read the settings file \(--config\): ENOENT/);
  expect(status).toBe(2);
});

test('the schema has every option of run but those of one run, and secrets', () => {
  const options = runOf().options.map(({ long }) => long?.slice(2));
  expect([...settingKeys, ...otherKeys, 'config'].toSorted()).toEqual(options.toSorted());
  expect(readSettings(fileOf('empty.yaml', ''))).toEqual([]);
});
