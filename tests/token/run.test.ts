import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { engineConformance, start } from '../cli/command.ts';
import { hasReport, pairsBelow, pairsOf, validReport } from '../cli/report.ts';
import { smallEngine } from '../cli/small-engine.ts';
import { writtenBelow } from '../cli/written.ts';
import { workplace } from '../workplace.ts';
import {
  behindGateway,
  broken,
  disguised,
  elsewhere,
  goes,
  hanging,
  indifferent,
  leaving,
  referenceTokens,
  scope,
  talkative,
  user,
} from './servers.ts';

const credentials = ['--auth-user', user.name, '--auth-password', user.password, '--auth-service', 'registry.test'];

let runs = 0;

async function judged(url: string, ...more: string[]) {
  runs++;
  const report = `run-${runs}`;
  const args = ['run', '--auth-url', url, ...credentials, '--report', report, '--timeout', '2', ...more];
  const ended = await engineConformance(args);
  const results = hasReport(report) ? validReport(report).results : [];
  const of = (verdict: string) => [
    ...new Set(results.filter((one) => one.verdict === verdict).map(({ rule }) => rule)),
  ];
  return { ...ended, report, results, of };
}

test('the reference token server keeps every rule, without an engine', async () => {
  const { status, stdout, stderr, report, of } = await judged(await referenceTokens(), '--auth-scope', scope);
  expect([...of('fail'), ...of('blocked'), ...of('error'), ...of('skip')]).toEqual([]);
  expect(of('pass')).toHaveLength(42);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/ judges a token server at http:\/\/127\.0\.0\.1:\d+\/token$/m);
  expect(pairsOf(validReport(report))).toEqual(pairsBelow('token.', 'generated.inputs.token-forms'));
});

test('a server for one service alone, and without a scope that the user may have', async () => {
  const { status, of } = await judged(await referenceTokens('registry.test'));
  expect(of('skip')).toEqual(['token.body.scope']);
  expect(status).toBe(0);
});

test.each(['hangs', 'closes at once'])('a server that %s is told of in one line', async (name) => {
  const { status, stderr, results } = await judged((await broken[name]?.()) ?? '');
  expect(stderr).toMatch(
    /^error: http:.*gave no answer to POST.*check --auth-url and that the token server is running\n$/,
  );
  expect({ status, results }).toEqual({ status: 3, results: [] });
});

test('a server that answers 404 gives no tokens this way, which is allowed', async () => {
  const { status, of } = await judged((await broken['answers 404']?.()) ?? '');
  expect([of('pass'), of('fail'), of('blocked')]).toEqual([[], [], []]);
  expect(of('observed').toSorted()).toEqual(['token.get-variant', 'token.may-answer-404']);
  expect(status).toBe(4);
});

test.each(['answers 200 {}', 'echoes the form as JSON'])('a server that %s keeps no rule', async (name) => {
  const { status, of } = await judged((await broken[name]?.()) ?? '', '--auth-scope', scope);
  expect([of('pass'), of('error')]).toEqual([[], []]);
  expect(of('fail')).toContain('token.form-body');
  expect(status).toBe(1);
});

test('a server that gives a token for anything refuses nothing', async () => {
  const { status, of } = await judged(await indifferent());
  expect(of('fail')).toEqual(
    expect.arrayContaining([
      ...['token.grant-missing-refused', 'token.service-missing-refused', 'token.client-missing-refused'],
      ...['token.bad-password-refused', 'token.bad-refresh-token-refused', 'token.service-bound'],
      ...['token.online-default', 'token.online-no-refresh-token', 'token.other-scope', 'token.scope-subset'],
    ]),
  );
  expect(status).toBe(1);
});

test.each([
  ['closes every connection', 3],
  ['closes every connection', 20],
  ['hangs', 20],
])('a server that %s after %i answers: report of what is known, status 3, no failure for it', async (name, after) => {
  const how = goes[name];
  if (!how) throw new Error(`no server ${name}`);
  const url = await leaving(after, how);
  // The property goes first, as it takes longest, so that it is what meets the end.
  const { status, report } = await judged(url, '--concurrency', '1', '--max-time', '5');
  const { end, results } = validReport(report);
  expect({ status, end }).toEqual({ status: 3, end: 'lost' });
  expect(results).toHaveLength(pairsBelow('token.', 'generated.inputs.token-forms').length);
  expect(results.filter(({ actual }) => /connection|within|ECONN/.test(actual))).toEqual([]);
  const property = results.filter(({ rule }) => rule === 'generated.inputs.token-forms');
  expect(property.filter(({ verdict, generated }) => verdict !== 'blocked' && generated?.rule === undefined)).toEqual(
    [],
  );
});

test.each([429, 503])('an answer of %i in between is no refusal and no deviation', async (status) => {
  const { of, results } = await judged(await behindGateway(status), '--auth-scope', scope);
  expect([of('fail'), of('error')]).toEqual([[], []]);
  const blocked = results.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.length).toBeGreaterThan(10);
  expect(blocked.filter(({ reason }) => !reason.includes(`it answers ${status}`))).toEqual([]);
});

test('an endpoint with a path of its own, which the faults reach too', async () => {
  const url = await elsewhere(await referenceTokens());
  const args = ['--token-url', url, ...credentials, '--auth-scope', scope];
  const { status, stdout } = await engineConformance(['prove', '--faults', ...args]);
  expect(stdout).toMatch(/proven 42 of 47 rules \(89\.3 %\)\n$/);
  expect(status).toBe(0);
});

test('with a refresh token alone all is proven but what the password grant decides', async () => {
  const url = await referenceTokens();
  const form = { grant_type: 'password', service: 'registry.test', client_id: 'a', access_type: 'offline' };
  const body = new URLSearchParams({ ...form, username: user.name, password: user.password });
  const answer = await fetch(`${url}/token`, { method: 'POST', body });
  const refreshToken = String(Object(await answer.json()).refresh_token);
  const args = ['--api', '1.23', '--auth-url', url, '--auth-service', 'registry.test', '--auth-scope', scope];
  const env = { ENGINE_AUTH_REFRESH_TOKEN: refreshToken };
  const { stdout, stderr } = await engineConformance(['prove', '--faults', ...args], env);
  const unproven = [...stdout.matchAll(/^not proven: (\S+)\n +skipped: (.*)$/gm)].map(([, rule, why]) => [rule, why]);
  const why = 'the suite was given no user of the token server, see --auth-user';
  expect(unproven.toSorted()).toEqual(
    ['bad-password-refused', 'bad-username-refused', 'body.password', 'body.username', 'grant-password'].map((rule) => [
      `token.${rule}`,
      why,
    ]),
  );
  expect(stdout).toMatch(/proven 37 of 47 rules/);
  const run = await engineConformance(['run', ...args, '--report', 'refresh'], env);
  expect(run.status).toBe(0);
  const report = readFileSync(path.join(workplace, 'refresh', 'report.json'), 'utf8');
  expect([stdout, stderr, run.stdout, run.stderr, report].filter((text) => text.includes(refreshToken))).toEqual([]);
}, 120_000);

test('without a user what needs one is skipped, with the reason', async () => {
  const args = ['run', '--auth-url', await referenceTokens(), '--report', 'no-user'];
  const { status } = await engineConformance(args);
  const skipped = validReport('no-user').results.filter(({ verdict }) => verdict === 'skip');
  expect(skipped.length).toBeGreaterThan(100);
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
    new Set(['the suite was given no user of the token server; name one with --auth-user']),
  );
  expect(status).toBe(4);
});

test('beside an engine both are judged; alone either skips the rules of the other', async () => {
  const { address } = await smallEngine();
  const only = ['--only', 'system.ping.*', '--only', 'token.media-type'];
  const verdicts = async (report: string, ...more: string[]) => {
    await engineConformance(['run', ...only, '--report', report, '--api', '1.23', ...more]);
    return Object.fromEntries(
      validReport(report).results.map(({ rule, verdict, reason }) => [rule, `${verdict} ${reason}`]),
    );
  };
  const auth = ['--auth-url', await referenceTokens(), ...credentials];
  const both = await verdicts('both', '--target', address, ...auth);
  expect(both).toMatchObject({ 'system.ping.body-OK': 'pass ', 'token.media-type': 'pass ' });
  const engine = await verdicts('engine', '--target', address);
  expect(engine['token.media-type']).toBe('skip no token server was given; name one with --auth-url');
  expect(engine['system.ping.body-OK']).toBe('pass ');
  const tokens = await verdicts('tokens', ...auth);
  expect(tokens['system.ping.body-OK']).toBe('skip no engine was given; name one with --target');
  expect(tokens['token.media-type']).toBe('pass ');
});

test('doctor tells of a token server alone what it is judged by', async () => {
  const { status, stdout } = await engineConformance(['doctor', '--auth-url', await referenceTokens(), ...credentials]);
  expect(stdout).toMatch(/^product: +a token server$/m);
  expect(stdout.match(/^(?:can|CANNOT): .*$/gm)).toEqual([expect.stringMatching(/^can: a token endpoint /)]);
  expect(status).toBe(0);
});

test('Ctrl-C while a server is waited for: report of what is known, status 130', async () => {
  const { url, asked } = await hanging();
  const { child, ended } = start(['run', '--auth-url', url, ...credentials, '--report', 'interrupted']);
  await asked;
  child.kill('SIGINT');
  expect((await ended).status).toBe(130);
  expect(validReport('interrupted').end).toBe('interrupted');
});

test('each rule is judged once for all versions', async () => {
  const { results } = await judged(await referenceTokens(), '--only', 'token.other-scope');
  expect(new Set(results.map(({ evidence }) => evidence.join())).size).toBe(1);
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
});

// One request after another, so that with three beginnings each of them gets each kind of answer.
test.each([0, 1, 2])('secrets reach no report, terminal or journal; answers in turn from %i on', async (begin) => {
  const tokens = ['canary-access-0123456789', 'canary-refresh-9876543210'];
  const url = await talkative(tokens, begin);
  const state = path.join(workplace, 'canary-state');
  const run = (...format: string[]) => {
    const args = [
      'run',
      '--auth-url',
      url,
      '--auth-user',
      user.name,
      '--auth-service',
      'a',
      '--report',
      'canary',
      ...['--seed', '1', '--concurrency', '1'],
      ...format,
    ];
    return engineConformance(args, { ENGINE_AUTH_PASSWORD: user.password, XDG_STATE_HOME: state });
  };
  const written = [await run(), await run('--format', 'ndjson')].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  const doctor = ['doctor', '--auth-url', url, ...credentials];
  written.push((await engineConformance(doctor)).stdout);
  written.push((await engineConformance(['run', '--help'], { ENGINE_AUTH_PASSWORD: user.password })).stdout);
  const names = ['badge.svg', 'contract', 'index.html', 'junit.xml', 'report.json', 'repro', 'summary.md'];
  expect(readdirSync(path.join(workplace, 'canary')).toSorted()).toEqual(names);
  written.push(...writtenBelow('canary').values());
  const report = readFileSync(path.join(workplace, 'canary', 'report.json'), 'utf8');
  const inBase64 = [...report.matchAll(/"base64": ?"([^"]*)"/g)].map(([, text = '']) => Buffer.from(text, 'base64'));
  expect(inBase64.length).toBeGreaterThan(0);
  written.push(...inBase64.map((bytes) => bytes.toString('utf8')));
  // The exchanges are there, so that it is not silence that keeps the secrets.
  expect(written.join('\n')).toContain('[redacted]');
  expect(validReport('canary').results.some(({ evidence }) => evidence.length > 0)).toBe(true);
  const leaks = [...[user.password, ...tokens].flatMap(spellings), ...disguised(user.password)].flatMap((spelling) => {
    return written.flatMap((text) => (text.includes(spelling) ? around(text, spelling) : []));
  });
  expect(leaks).toEqual([]);
  expect([...writtenBelow('canary-state').keys()]).toEqual([]);
});

function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 200), at + part.length + 20);
}

function spellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    ...[secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret)],
    ...[
      new URLSearchParams({ a: secret }).toString().slice(2),
      secret.replaceAll('"', '&quot;').replaceAll('&', '&amp;'),
    ],
    ...[Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('base64url')],
  ];
}

test('serve --token: the reference token server until Ctrl-C', async () => {
  const args = ['serve', '--token', 'tcp://127.0.0.1:0', ...credentials, '--auth-scope', scope];
  const { child, ended } = start(args);
  const url = await new Promise<string>((resolve) => {
    child.stdout?.on('data', (text: string) => resolve(/http:\S+?(?=;)/.exec(text)?.[0] ?? text));
  });
  const { status, of } = await judged(url, '--auth-scope', scope);
  expect([of('fail'), of('blocked'), status]).toEqual([[], [], 0]);
  child.kill('SIGINT');
  const served = await ended;
  expect(served.stdout).toBe(`the reference token server listens on ${url}; press Ctrl-C to end\n`);
  expect({ status: served.status, stderr: served.stderr }).toEqual({ status: 0, stderr: '' });
});
