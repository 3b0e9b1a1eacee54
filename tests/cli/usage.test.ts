import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ruleOf } from '../../cli/selection.ts';
import { didYouMean } from '../../harness/nearest.ts';
import { whatToCheck } from '../../harness/target/identify.ts';
import { TransportError } from '../../harness/transport/errors.ts';
import { apiVersions, versionsInWords } from '../../specs/versions.ts';
import { workplace } from '../workplace.ts';
import { engineConformance } from './command.ts';

/** The command ends with status 2 and one line on standard error, and starts nothing. */
async function refusal(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await engineConformance(args);
  expect(stderr).toMatch(/^error: .*\n$/);
  expect(stdout).toBe('');
  expect(status).toBe(2);
  return stderr;
}

function fileOf(name: string, text: string): string {
  const file = path.join(workplace, name);
  writeFileSync(file, text);
  return file;
}

test('--help names every command', async () => {
  const { status, stdout } = await engineConformance(['--help']);
  expect(status).toBe(0);
  for (const name of ['run', 'list', 'explain', 'serve', 'doctor', 'clean', 'prove']) {
    expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  }
});

test('run --help names the options in groups, and every exit status', async () => {
  const { status, stdout } = await engineConformance(['run', '--help']);
  expect(status).toBe(0);
  const groupOf = (option: string) => {
    const before = stdout.slice(0, stdout.search(new RegExp(`^ +${option} `, 'm')));
    return before.match(/^[A-Z].*:$/gm)?.at(-1);
  };
  const options = [
    '--target',
    '--auth-url',
    '--only',
    '--shard',
    '--seed',
    '--confirm',
    '--baseline',
    '--report',
    '--quiet',
  ];
  expect(options.map(groupOf)).toEqual([
    ...['Target:', 'Token server:', 'What to judge:', 'What to judge:', 'How to judge:'],
    ...['How to judge:', 'What counts as a failure:', 'Reports and output:', 'Reports and output:'],
  ]);
  for (const known of [0, 1, 2, 3, 4, 5, 130]) expect(stdout).toMatch(new RegExp(`^  ${known} `, 'm'));
});

test('no suggestion where nothing is near', () => {
  expect(didYouMean('system.ping.body-KO', ['system.ping.body-OK', 'x'])).toBe("; did you mean 'system.ping.body-OK'?");
  expect(didYouMean('quintessence', ['system.ping.body-OK', 'containers.stop.answers-204'])).toBe('');
  expect(didYouMean('ab', [])).toBe('');
});

test('a pattern where one rule is wanted', () => {
  expect(() => ruleOf('system.ping.*')).toThrow(
    "'system.ping.*' is a pattern, and one rule is wanted by its id, such as system.ping.",
  );
  expect(() => ruleOf('system.pong.*')).toThrow("'system.pong.*' matches no rule; did you mean 'system.ping.*'?");
});

test('a socket that the user may not use', () => {
  const cause = Object.assign(new Error('connect EACCES /run/engine.sock'), { code: 'EACCES' });
  expect(whatToCheck(new TransportError('unreachable', 'x', { cause }), '--target')).toContain(
    'the group that owns it',
  );
  expect(whatToCheck(new TransportError('unreachable', 'x'), '--upstream')).toBe(
    '--upstream, and that the daemon is running',
  );
});

test('--version is that of the package', async () => {
  const { status, stdout } = await engineConformance(['--version']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('without a command the help goes to standard error', async () => {
  const { status, stdout, stderr } = await engineConformance([]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('Usage: engine-conformance');
});

test('a misspelt command', async () => {
  expect(await refusal('rnu')).toContain('Did you mean run?');
});

test('a misspelt option', async () => {
  expect(await refusal('run', '--tagret', 'x')).toContain('Did you mean --target?');
});

test('an option that resembles none', async () => {
  expect(await refusal('run', '--quintessence')).toContain("unknown option '--quintessence'; see --help");
});

test('a misspelt rule id', async () => {
  expect(await refusal('run', '--only', 'system.ping.body-KO')).toContain("did you mean 'system.ping.body-OK'?");
  expect(await refusal('explain', 'system.ping.body-KO')).toContain("did you mean 'system.ping.body-OK'?");
});

test('the name of a group of rules in place of a pattern', async () => {
  expect(await refusal('list', '--only', 'system.ping')).toContain("'system.ping.*' matches the rules under it");
});

test('a pattern that matches nothing', async () => {
  expect(await refusal('run', '--only', 'sistem.ping.*')).toContain("did you mean 'system.ping.*'?");
});

test('versions in which no chosen rule holds', async () => {
  const message = await refusal('list', '--only', 'containers.list.field.State', '--api', '1.20,1.21');
  expect(message).toContain('only in 1.23; carried: 1.24 to');
});

test('an API version that the contract does not have', async () => {
  for (const versions of ['1.20,1.99', '1.22', 'nonsense', '']) {
    expect(await refusal('run', '--api', versions)).toContain(versionsInWords(apiVersions));
  }
  // What a target serves is nothing that the list of rules knows.
  expect(await refusal('list', '--api', 'served')).toContain(versionsInWords(apiVersions));
});

test.each(['/var/run/engine.sock', 'unix://engine.sock', 'ftp://host'])('the target address %s', async (address) => {
  expect(await refusal('run', '--target', address)).toContain('unix:///path/to/socket');
});

test('TLS files for a target that is not reached by TLS', async () => {
  expect(await refusal('run', '--target', 'unix:///x.sock', '--tls-ca', 'ca.pem')).toContain('use https:// or tcp://');
  expect(await refusal('run', '--tls-ca', 'ca.pem')).toContain('need a --target');
});

test('a TLS file that is missing', async () => {
  expect(await refusal('run', '--target', 'tcp://127.0.0.1', '--tls-ca', 'missing.pem')).toContain('missing.pem');
});

test.each([
  ['--concurrency', '0', 'from 1 to 256'],
  ['--seed', '-1', 'whole number'],
  ['--timeout', 'soon', 'number of seconds'],
  ['--fail-on', 'observe', 'must, should'],
  ['--format', 'xml', 'text, json, ndjson'],
])('%s %s', async (option, value, hint) => {
  expect(await refusal('run', `${option}=${value}`)).toContain(hint);
});

test('a dialect that is no name and no file', async () => {
  expect(await refusal('run', '--dialect', 'enigne')).toContain('engine, docker, auto or a file');
});

test.skipIf(!existsSync('/proc/self'))('a report directory where none can be made', async () => {
  expect(await refusal('run', '--report', '/proc/x/y')).toContain('cannot write the reports (--report)');
});

test('a report directory that is a file', async () => {
  expect(await refusal('run', '--report', fileOf('taken', ''))).toContain('--report');
});

test('clean without a target', async () => {
  expect(await refusal('clean')).toContain('--target or ENGINE_HOST');
});

test('serve on an address that is none', async () => {
  expect(await refusal('serve', '--listen', 'nowhere')).toContain('tcp://host:port');
});

test('a baseline that cannot be read', async () => {
  expect(await refusal('run', '--baseline', 'missing.yaml')).toMatch(
    /missing\.yaml.*; add --update-baseline to create it/,
  );
});

test('a baseline with an unknown rule', async () => {
  const file = fileOf('unknown-rule.yaml', '- {rule: system.ping.body-KO, does: x, reason: x}\n');
  expect(await refusal('run', '--baseline', file)).toContain("did you mean 'system.ping.body-OK'?");
});
