import { expect, test } from 'vitest';
import { engineConformance } from '../cli/command.ts';

const password = 'canary-password';

/** The command ends with status 2 and one line on standard error without the password, and starts nothing. */
async function refusal(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { status, stdout, stderr } = await engineConformance(args, env);
  expect(stderr).toMatch(/^error: .*\n$/);
  expect(stderr).not.toContain(password);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  return stderr;
}

const url = ['--auth-url', 'http://127.0.0.1:1'];
const named = ['--auth-user', 'grace', '--auth-password', password];

test.each([
  ['no address', 'auth.example.com'],
  ['a scheme that is not HTTP', 'tcp://auth.example.com'],
  ['no host', 'http://'],
  ['nothing', ''],
  ['a user in it', `https://grace:${password}@auth.example.com`],
  ['a fragment', 'https://auth.example.com/#token'],
  ['a query', 'https://auth.example.com/?a=b'],
])('--auth-url with %s', async (_what, text) => {
  expect(await refusal(['run', '--auth-url', text])).toContain('--auth-url');
});

test('--token-url that is none', async () => {
  expect(await refusal(['run', '--token-url', '/token'])).toContain('--token-url needs an address such as https://');
});

test('both addresses', async () => {
  expect(await refusal(['run', ...url, '--token-url', 'http://127.0.0.1:1/token'])).toContain('give one of them');
});

test('a user without a password, and a password without a user', async () => {
  expect(await refusal(['run', ...url, '--auth-user', 'grace'])).toContain('--auth-password or ENGINE_AUTH_PASSWORD');
  expect(await refusal(['run', ...url, '--auth-password', password])).toContain('needs --auth-user');
  expect(await refusal(['run', ...url], { ENGINE_AUTH_PASSWORD: password })).toContain('needs --auth-user');
  expect(await refusal(['run', ...url, '--auth-user', '', '--auth-password', password])).toContain('must not be empty');
});

test('a user without a service', async () => {
  expect(await refusal(['run', ...url, ...named])).toContain('--auth-service');
});

test('an empty service', async () => {
  expect(await refusal(['run', ...url, ...named, '--auth-service', ''])).toContain('--auth-service must not be empty');
  const refresh = ['--auth-refresh-token', password];
  expect(await refusal(['run', ...url, ...refresh])).toContain('--auth-service');
  expect(await refusal(['run', ...url, '--auth-service', 'a', '--auth-refresh-token', ''])).toContain(
    'must not be empty',
  );
});

test.each(['pull', 'repository:app', 'repository::pull', 'repository:a:', 'repository:a:pull,repository:b:pull', ' '])(
  "the scope '%s'",
  async (scope) => {
    const args = ['run', ...url, ...named, '--auth-service', 'a', '--auth-scope', scope];
    expect(await refusal(args)).toContain('repository:<name>:pull,push, and separate several with spaces');
  },
);

test.each(['--auth-user', '--auth-service', '--auth-scope'])('%s without a token server', async (option) => {
  expect(await refusal(['run', option, 'a'])).toContain(`${option} needs a token server: --auth-url or --token-url`);
});

test('a password in the environment does not matter to other runs', async () => {
  const args = ['list', '--only', 'system.ping.*'];
  expect((await engineConformance(args, { ENGINE_AUTH_PASSWORD: password })).status).toBe(0);
  const run = ['run', '--only', 'system.ping.*', '--report', 'other', '--api', '1.23'];
  expect((await engineConformance(run, { ENGINE_AUTH_PASSWORD: password })).status).toBe(0);
});

test('a token server where nothing listens: status 3', async () => {
  const { status, stderr } = await engineConformance(['run', ...url]);
  expect(stderr).toMatch(/^error: http:\/\/127\.0\.0\.1:1\/token gave no answer.*check --auth-url.*\n$/);
  expect(status).toBe(3);
});

test('serve without an address, or one that is of no use', async () => {
  expect(await refusal(['serve'])).toContain('--listen, the token server with --token');
  expect(await refusal(['serve', '--token', 'unix:///tmp/token.sock', ...named])).toContain('tcp://host:port');
  expect(await refusal(['serve', '--token', 'https://127.0.0.1:1', ...named])).toContain('does not speak TLS');
  expect(await refusal(['serve', '--token', 'tcp://127.0.0.1:0'])).toContain('--auth-user and --auth-password');
  expect(await refusal(['serve', '--token', 'tcp://192.0.2.1:80', ...named])).toContain('another address with --token');
});
