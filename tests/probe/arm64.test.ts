import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { Running } from './run-probe.ts';

const program = fileURLToPath(new URL('../../harness/probe/bin/probe-linux-arm64', import.meta.url));
const native = process.platform === 'linux' && process.arch === 'arm64';
const emulator = 'qemu-aarch64-static';

beforeEach((context) => {
  if (!native && spawnSync(emulator, ['--version']).error) context.skip(`neither arm64 nor ${emulator} here`);
});

function start(...steps: readonly string[]): Running {
  return native ? new Running(program, steps) : new Running(emulator, [program, ...steps]);
}

test('output, input, files and exit', async () => {
  const running = start(
    'out',
    '\\x41\\n',
    'err',
    'e',
    'echo-line',
    'count',
    'stat',
    '/proc',
    'try',
    'read',
    '/',
    'exit',
    '7',
  );
  running.send('one\ntwo');
  expect(await running.end()).toMatchObject({ code: 7, stdout: 'A\none\n3\n40555 0 0 0\nerror 21\n', stderr: 'e' });
});

test('signals end the probe, or are queued', async () => {
  const ending = start('out', 'ready', 'forever');
  await ending.printed('ready');
  ending.kill('SIGTERM');
  expect((await ending.ended()).code).toBe(143);

  const catching = start('catch', 'out', 'ready|', 'wait-signal', 'wait-signal');
  await catching.printed('ready|');
  catching.kill('SIGUSR1');
  await catching.printed('signal 10\n');
  catching.kill('SIGTERM');
  expect(await catching.ended()).toMatchObject({ code: 0, stdout: 'ready|signal 10\nsignal 15\n' });
});
