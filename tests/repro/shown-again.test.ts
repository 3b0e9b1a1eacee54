import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checksOf } from '../../cli/checks.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import type { Latitude } from '../../harness/latitudes/latitude.ts';
import { latitudeOf } from '../../harness/latitudes/latitudes.ts';
import { allRules } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import { engineConformance, main } from '../cli/command.ts';
import { referenceTarget } from '../cli/reference-target.ts';
import { workplace } from '../workplace.ts';
import { faultyDaemon } from './faulty-daemon.ts';

const patience = { timeout: 300_000 };
const checks = await checksOf(allRules);

function runScript(
  file: string,
  host: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly said: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH ?? '', ENGINE_HOST: host, TMPDIR: workplace, ...more };
    const child = execFile('/bin/sh', [file], { env }, (_error, _stdout, stderr) => {
      resolve({ status: child.exitCode ?? -1, said: stderr });
    });
  });
}

/** A rule of each way in which an answer can show a deviation, with the place of its fault among those of its check. */
const shown: readonly (readonly [rule: string, fault: RegExp])[] = [
  ['containers.stop.stopped-answers-304', /answers 204/],
  ['containers.inspect.field.State.ExitCode', /./],
  ['containers.list.since', /ignores/],
  ['containers.logs.tail-number', /ignores/],
  ['containers.logs.stdout-true', /ignores/],
  ['containers.create.config.user', /./],
  ['exec.inspect.exit-code', /./],
  ['containers.attach-ws.stdout', /./],
  ['containers.attach.stream.frame-header', /sends no frames/],
  ['volumes.create.body.Name', /./],
  // The item that deviates is one of several, and only the fixture that made it names it.
  ['volumes.list.field.Volumes[].Driver', /./],
  ['containers.list.field.SizeRw', /leaves SizeRw out/],
  // The statuses of several answers.
  ['networks.remove.predefined-answers-403', /bridge/],
  ['containers.archive-put.path-file-400', /./],
  // Their archives have checksums over what is named in them.
  ['images.load.old-format', /whiteouts/i],
  ['images.load.quiet-default-false', /./],
];

test('a script that is interrupted removes what it made', patience, async () => {
  const rule = 'containers.inspect.field.State.ExitCode';
  const check = checks.get(rule);
  const [fault] = check?.faults ?? [];
  if (!check?.rule.endpoint || !fault) throw new Error(`${rule} has no fault`);
  const right = await referenceTarget();
  const faulty = await faultyDaemon(right.address, fault, endpointTitle(check.rule.endpoint));
  const report = path.join(workplace, 'interrupted');
  await engineConformance(['run', '--target', faulty.text, '--only', rule, '--api', '1.23', '--report', report]);
  const script = path.join(report, 'repro', `${rule}@1.23.sh`);
  const printed = await engineConformance(['repro', rule, '--report', report]);
  expect(printed).toMatchObject({ status: 0, stdout: readFileSync(script, 'utf8') });
  const issue = await engineConformance(['repro', rule, '--report', report, '--markdown']);
  expect(issue).toMatchObject({ status: 0, stderr: '' });
  expect(issue.stdout).toMatch(/^### Not kept: GET \/containers\/\{id\}\/json .*\n\nSeen on .* in API 1\.23, by /);
  for (const part of [
    'Expected:',
    'Actual:',
    '```sh\ncurl ',
    '```sh\n#!/bin/sh\n',
    '- Judged by: engine-conformance',
  ]) {
    expect(issue.stdout).toContain(part);
  }
  // As soon as the container is made, and before the script knows.
  const interrupts: Fault = {
    name: 'interrupts',
    answer: (answer) => {
      child.kill('SIGINT');
      return answer;
    },
  };
  const watched = await faultyDaemon(right.address, interrupts, 'POST /containers/create');
  const env = { PATH: process.env.PATH ?? '', ENGINE_HOST: watched.text, TMPDIR: workplace };
  const child = spawn('/bin/sh', [script], { env, stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  expect(await ended).toBe(130);
  expect(await right.inventory()).toEqual({ containers: [], images: [] });
});

/** A failure of a rule that a fault brings about, with its script. */
async function failureOf(rule: string, named: RegExp, latitudes: readonly Latitude[] = []) {
  const check = checks.get(rule);
  const fault = check?.faults.find(({ name }) => named.test(name));
  if (!check || !fault) throw new Error(`${rule} has no such fault`);
  const right = await referenceTarget();
  const endpoint = check.rule.endpoint ? endpointTitle(check.rule.endpoint) : '';
  const faulty = await faultyDaemon(right.address, fault, endpoint, latitudes);
  const report = path.join(workplace, [rule, ...latitudes.map(({ name }) => name)].join(' '));
  // Some wait for what never comes, and so do their scripts.
  const one = ['--only', rule, '--api', '1.23', '--timeout', '5'];
  const judged = await engineConformance(['run', '--target', faulty.text, ...one, '--report', report]);
  expect(judged, judged.stdout + judged.stderr).toMatchObject({ status: 1 });
  expect(readdirSync(path.join(report, 'repro'))).toEqual([`${rule}@1.23.sh`]);
  return { right, faulty, script: path.join(report, 'repro', `${rule}@1.23.sh`) };
}

describe('the script of a failure', () => {
  test.each(shown)('%s', patience, async (rule, named) => {
    const { right, faulty, script } = await failureOf(rule, named);

    const there = await runScript(script, faulty.text);
    expect(there, there.said).toMatchObject({ status: 1 });
    expect(there.said).toContain('Still there. Expected: ');
    const mended = await runScript(script, right.address.text);
    expect(mended, mended.said).toMatchObject({ status: 0 });
    expect(await right.inventory()).toEqual({ containers: [], images: [] });
  });

  test.each([
    ['containers.list.since', /ignores/],
    ['containers.logs.stdout-true', /ignores/],
    ['exec.inspect.exit-code', /./],
  ] as const)('of an engine that writes identifiers otherwise: %s', patience, async (rule, named) => {
    const { right, faulty, script } = await failureOf(rule, named, [latitudeOf('identifiers-of-letters')]);
    const there = await runScript(script, faulty.text);
    expect(there, there.said).toMatchObject({ status: 1, said: expect.stringContaining('Still there. Expected: ') });
    const mended = await runScript(script, right.address.text);
    expect(mended, mended.said).toMatchObject({ status: 0 });
  });

  test('lets the suite judge where a right daemon refuses a request on the way', patience, async () => {
    const { right, faulty, script } = await failureOf('containers.archive-put.pseudo-paths', /./);
    const alone = await runScript(script, right.address.text);
    expect(alone, alone.said).toMatchObject({
      status: 2,
      said: expect.stringMatching(/Cannot be determined: request/),
    });
    const withSuite = { ENGINE_CONFORMANCE_COMMAND: `${process.execPath} ${main}` };
    const mended = await runScript(script, right.address.text, withSuite);
    expect(mended, mended.said).toMatchObject({ status: 0, said: expect.stringContaining('judges the rule again') });
    expect(await runScript(script, faulty.text, withSuite)).toMatchObject({ status: 1 });
    expect(await right.inventory()).toEqual({ containers: [], images: [] });
  });
});
