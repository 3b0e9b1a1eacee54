import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { engineConformance } from '../cli/command.ts';
import { validReport } from '../cli/report.ts';
import { asMember, family, member } from './servers/family.ts';

const run = promisify(execFile);

test('the script of a failure asks for tokens with the secrets of the environment, and is run as it stands', async () => {
  const server = await family['distribution 2.8.3']?.();
  if (!server) throw new Error('no server');
  onTestFinished(() => server.close());
  const only = ['--only', 'generated.inputs.token-forms', '--seed', '7'];
  await engineConformance(['run', ...server.named, ...asMember, ...only, '--report', 'script']);
  const scripts = validReport('script').results.map(({ generated }) => generated?.script ?? '');
  expect(new Set(scripts).size).toBe(1);
  const [script = ''] = scripts;
  expect(script).toMatch(/^#!\/bin\/sh\n# Asks http:\S+\/token\/ for tokens as the test did\.\n/);
  expect(script).not.toMatch(/IMAGE|probe|container|\[redacted\]/);
  expect(script).not.toContain(member.password);
  expect(script).toContain('--data-urlencode "refresh_token=$REFRESH_TOKEN"');
  const { stdout, stderr } = await run('sh', ['-c', script], {
    env: { ...process.env, ENGINE_AUTH_PASSWORD: member.password },
  });
  // The last request is the one that failed: a refresh token that nobody asked for.
  expect(stdout + stderr).toMatch(/HTTP\/1\.1 200 OK/);
  expect(stdout).toContain('"refresh_token":"');
  expect(stdout).not.toContain('"errors"');
});
