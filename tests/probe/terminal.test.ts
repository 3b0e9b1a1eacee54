import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { cannotRun, probePath, Running } from './run-probe.ts';

const missing = ['script', 'stty'].filter((command) => spawnSync(command, ['--version']).error);

beforeEach((context) => {
  if (cannotRun) context.skip(cannotRun);
  if (missing.length > 0) context.skip(`not installed here: ${missing.join(', ')}`);
});

/** Starts a shell line on a terminal of its own, where `$PROBE` is the probe. */
function onTerminal(line: string): Running {
  return new Running('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { ...process.env, PROBE: probePath, SHELL: '/bin/sh' },
  });
}

test('a terminal is seen on all three descriptors, with its size', async () => {
  const running = onTerminal('stty rows 31 cols 91; exec "$PROBE" tty winsize exit 9');
  expect(await running.ended()).toMatchObject({ code: 9, stdout: 'tty=111\r\n31 91\r\n' });
});

test('lines are echoed, until raw mode', async () => {
  const running = onTerminal('exec "$PROBE" out "ready|" echo-line raw out "raw|" echo-line');
  await running.printed('ready|');
  running.send('a\r');
  await running.printed('raw|');
  running.send('b\rc\n');
  expect((await running.ended()).stdout).toBe('ready|a\r\na\r\nraw|b\rc\n');
});

test('wait-winsize reports a change', async () => {
  const running = onTerminal('stty rows 10 cols 20; tty; exec "$PROBE" out "ready|" wait-winsize');
  await running.printed('ready|');
  const terminal = /^\/\S+/.exec(running.stdout)?.[0] ?? '';
  // The step may begin only after the first change, so there are several.
  for (let rows = 30; !running.isOver && rows < 60; rows++) {
    spawnSync('stty', ['-F', terminal, 'rows', String(rows), 'cols', '90']);
    await setTimeout(100);
  }
  expect((await running.ended()).stdout).toMatch(/ready\|[345]\d 90\r\n$/);
});
