import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workplace } from '../workplace.ts';
import { engineConformance, main, start } from './command.ts';
import { rightPing, smallEngine, wrongPing } from './small-engine.ts';

interface Report {
  end: string;
  exchanges: Record<string, { request: { method: string; path: string } }>;
  results: { rule: string; api: string; verdict: string }[];
}

const pings = ['--only', 'system.ping.*'];

function reportOf(directory: string): Report {
  return JSON.parse(readFileSync(path.join(workplace, directory, 'report.json'), 'utf8'));
}

test('a target that keeps the rules: table, reports, status 0', async () => {
  const { address } = await smallEngine();
  const { status, stdout, stderr } = await engineConformance([
    ...['run', '--target', address, ...pings, '--report', 'kept', '--allure', 'for-allure'],
  ]);
  expect(stderr).toBe('');
  expect(stdout).toContain(`at ${address}\n`);
  expect(stdout).toMatch(/^area +API +pass +fail +should +blocked +skip +observed +untested$/m);
  expect(stdout).toMatch(/^system +1\.21 +3 +0 +0 +0 +1 +0 +0$/m);
  expect(stdout).toMatch(/\nReports: .*kept\n$/);
  expect(status).toBe(0);
  expect(readdirSync(path.join(workplace, 'kept')).toSorted()).toEqual([
    ...['badge.svg', 'contract', 'index.html', 'junit.xml', 'report.json', 'summary.md'],
  ]);
  expect(reportOf('kept').end).toBe('complete');
  const forAllure = readdirSync(path.join(workplace, 'for-allure')).filter((name) => name.endsWith('-result.json'));
  expect(forAllure).toHaveLength(12);
});

test('the target can be named by ENGINE_HOST', async () => {
  const { address } = await smallEngine();
  const { status, stdout } = await engineConformance(['run', ...pings, '--quiet'], { ENGINE_HOST: address });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Conforms: .*\nReports: .*conformance-report\n$/);
});

test('a deviation: rule, source, expected, actual, exchange and curl line, status 1', async () => {
  const { address } = await smallEngine(wrongPing);
  const { status, stdout } = await engineConformance(['run', '--target', address, ...pings, '--report', 'deviates']);
  expect(status).toBe(1);
  // The versions are judged at once, and the failure is told in the one in which it is seen first.
  const [, told, api] = /^(✗ fail system\.ping\.body-OK \[([\d.]+)\]\n.*?)fingerprint/ms.exec(stdout) ?? [];
  expect(told).toContain('  GET /_ping answers OK\n  Document 3, System\n');
  expect(told).toMatch(/^ {2}expected: .*OK/m);
  expect(told).toMatch(/^ {2}actual: .*not ok/m);
  expect(told).toMatch(/^ {2}\$ curl -i --unix-socket \S+ http:\/\/localhost\/v[\d.]+\/_ping$/m);
  expect(told).toContain(`localhost/v${api}/_ping\n`);
  expect(told).toContain(`\n  > GET /v${api}/_ping\n  < 200 `);
});

test('what the target sends cannot act on the terminal', async () => {
  const { address } = await smallEngine(wrongPing);
  const { stdout } = await engineConformance(['run', '--target', address, ...pings]);
  expect(stdout).toContain('\\x1b[2Jnot ok');
  expect(stdout).not.toContain('\u001b');
});

test('colours only when asked for, and never under NO_COLOR', async () => {
  const { address } = await smallEngine();
  const run = (env: NodeJS.ProcessEnv) => engineConformance(['run', '--target', address, ...pings], env);
  expect((await run({ FORCE_COLOR: '1' })).stdout).toContain('\u001b[32m');
  expect((await run({ FORCE_COLOR: '1', NO_COLOR: '1' })).stdout).not.toContain('\u001b');
});

test('json: standard output is the report', async () => {
  const { address } = await smallEngine(wrongPing);
  const args = ['run', '--target', address, ...pings, '--format', 'json', '--report', 'as-json'];
  const { status, stdout } = await engineConformance(args);
  expect(status).toBe(1);
  expect(stdout).toBe(readFileSync(path.join(workplace, 'as-json', 'report.json'), 'utf8'));
});

test('ndjson: one event a line, in order', async () => {
  const { address } = await smallEngine();
  const args = ['run', '--target', address, ...pings, '--format', 'ndjson', '--seed', '7'];
  const { status, stdout } = await engineConformance(args);
  expect(status).toBe(0);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events[0]).toMatchObject({ type: 'run-started', total: 12, seed: 7 });
  expect(events.slice(1, -1).map(({ type }) => type)).toEqual(Array(12).fill('verdict'));
  expect(events.at(-1)).toMatchObject({ type: 'run-ended', end: 'complete' });
});

test('on GitHub: annotations beside the data, and the summary of the step', async () => {
  const { address } = await smallEngine(wrongPing);
  const summary = path.join(workplace, 'step-summary.md');
  writeFileSync(summary, 'an earlier line\n');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const args = ['run', '--target', address, ...pings, '--format', 'json', '--report', 'on-github'];
  const { status, stdout, stderr } = await engineConformance(args, env);
  expect(status).toBe(1);
  expect(JSON.parse(stdout).end).toBe('complete');
  expect(stderr).toMatch(
    /^::error title=system\.ping\.body-OK \[1\.20%2C 1\.21%2C 1\.23\]::GET \/_ping answers OK%0A/m,
  );
  const page = readFileSync(path.join(workplace, 'on-github', 'summary.md'), 'utf8');
  expect(page).toContain('`system.ping.body-OK` in 1.20, 1.21, 1.23');
  // A summary on GitHub has no pages of the contract beside it.
  const unlinked = page.replaceAll(/\[([^[\]]+)\]\(contract\/[^)]+\)/g, '$1');
  expect(unlinked).not.toBe(page);
  expect(readFileSync(summary, 'utf8')).toBe(`an earlier line\n${unlinked}`);
});

test('every exchange is kept when asked for, also those that no verdict rests on', async () => {
  const stop = ['run', '--only', 'containers.stop.stopped-answers-304', '--api', '1.23', '--seed', '1'];
  const sent = async (directory: string, ...more: readonly string[]) => {
    const { status } = await engineConformance([...stop, '--report', directory, ...more]);
    expect(status).toBe(0);
    const { exchanges } = reportOf(directory);
    return Object.values(exchanges).map(({ request }) => `${request.method} ${request.path.split('?')[0]}`);
  };
  expect(await sent('evidence')).not.toContain('POST /v1.23/containers/create');
  expect(await sent('every', '--all-exchanges')).toContain('POST /v1.23/containers/create');
  const verified = await engineConformance(['verify', path.join('every', 'report.json')]);
  expect(verified.status).toBe(0);
});

test('nothing conclusive: status 4', async () => {
  const { address } = await smallEngine();
  const { status } = await engineConformance(['run', '--target', address, '--only', 'images.tag.bad-parameter-400']);
  expect(status).toBe(4);
});

test('a target that does not answer: one line, status 3', async () => {
  const { status, stdout, stderr } = await engineConformance([
    ...['run', '--target', 'unix:///nowhere/engine.sock', '--report', 'none'],
  ]);
  expect(status).toBe(3);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: unix:\/\/\/nowhere\/engine\.sock gave no answer.*check --target.*\n$/);
});

test('the report of an earlier run is neither lost in a run that cannot begin, nor taken for its own', async () => {
  const { address } = await smallEngine();
  const judge = (target: string) => engineConformance(['run', '--target', target, ...pings, '--report', 'again']);
  await judge(address);
  const report = readFileSync(path.join(workplace, 'again', 'report.json'), 'utf8');
  const { status, stderr } = await judge('unix:///nowhere/engine.sock');
  expect(status).toBe(3);
  expect(stderr).toMatch(/^The report of an earlier run is in .*again\/earlier\.\nerror: /);
  expect(readdirSync(path.join(workplace, 'again'))).toEqual(['earlier']);
  expect(readFileSync(path.join(workplace, 'again', 'earlier', 'report.json'), 'utf8')).toBe(report);
  await judge(address);
  expect(readdirSync(path.join(workplace, 'again'))).not.toContain('earlier');
});

test('a file that is no part of a report is left alone, and the run does not begin', async () => {
  mkdirSync(path.join(workplace, 'own'));
  writeFileSync(path.join(workplace, 'own', 'index.html'), 'my own page');
  const { status, stderr } = await engineConformance(['run', ...pings, '--report', 'own']);
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /^error: .*own has index\.html, which is not of an earlier report; name another directory .*\n$/,
  );
  expect(readdirSync(path.join(workplace, 'own'))).toEqual(['index.html']);
  expect(readFileSync(path.join(workplace, 'own', 'index.html'), 'utf8')).toBe('my own page');
});

test('a reader of the JSON that stops early does no harm', async () => {
  const command = `"$0" "$1" run --only 'system.*' --api 1.23 --format json | head -c 1; echo " \${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile('bash', ['-c', command, process.execPath, main], { cwd: workplace }, (_, ...[stdout, stderr]) =>
      resolve({ stdout, stderr }),
    );
  });
  expect(stderr).not.toContain('itself failed');
  expect(stdout).toBe('{ 0\n');
});

test('a target that goes away: report of what is known, status 3', async () => {
  const engine = await smallEngine((answer, count) => {
    // After those by which the target was identified and the first of the checks.
    if (count > 4) engine.close();
    else rightPing(answer);
  });
  const { status, stdout } = await engineConformance([
    ...['run', '--target', engine.address, ...pings, '--concurrency', '1', '--report', 'lost', '--timeout', '2'],
  ]);
  expect(stdout).toContain('the target was lost after system.ping.');
  expect(status).toBe(3);
  const { end, results } = reportOf('lost');
  expect(end).toBe('lost');
  expect(results).toHaveLength(12);
});

test('Ctrl-C: report of what is known, journal kept no longer, status 130', async () => {
  const { address, requests } = await smallEngine((answer, count) => {
    if (count <= 3) rightPing(answer);
  });
  const { child, ended } = start(['run', '--target', address, ...pings, '--report', 'interrupted']);
  await expect
    .poll(() => requests.filter((one) => one.endsWith('/_ping')).length, { timeout: 15_000 })
    .toBeGreaterThan(3);
  child.kill('SIGINT');
  const { status, stderr, stdout } = await ended;
  expect(stderr).toBe('interrupted: cleaning up; press Ctrl-C again to end at once\n');
  expect(stdout).toContain('The run was interrupted');
  expect(status).toBe(130);
  expect(reportOf('interrupted').end).toBe('interrupted');
});

test('a reader that goes away does not end the run', async () => {
  const { address } = await smallEngine();
  const { child, ended } = start(['run', '--target', address, ...pings, '--report', 'unread']);
  child.stdout?.destroy();
  expect((await ended).status).toBe(0);
  expect(existsSync(path.join(workplace, 'unread', 'report.json'))).toBe(true);
});

test('a run removes its journal; the same seed gives the same verdicts', async () => {
  const { address } = await smallEngine(wrongPing);
  const run = async (directory: string) => {
    await engineConformance(['run', '--target', address, ...pings, '--seed', '3', '--report', directory]);
    const verdicts = reportOf(directory).results.map(({ rule, api, verdict }) => `${rule} ${api} ${verdict}`);
    return createHash('sha256').update(verdicts.join('\n')).digest('hex');
  };
  expect(await run('first')).toBe(await run('second'));
  const { stdout } = await engineConformance(['clean', '--target', address]);
  expect(stdout).toMatch(/^nothing to clean: /);
});

test('doctor tells what the target cannot do, and counts what would be skipped', async () => {
  const { address } = await smallEngine();
  const { status, stdout } = await engineConformance(['doctor', '--target', address]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^product: +0\.1$/m);
  expect(stdout).toMatch(/^serves: +1\.20, 1\.21, 1\.23$/m);
  expect(stdout).toMatch(/^CANNOT: the probe image could not be loaded: load answered 404/m);
  expect(stdout).toMatch(/^\d+ untested: /m);
});
