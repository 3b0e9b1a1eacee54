import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { cannotRun, probePath, Running, runProbe, startProbe } from './run-probe.ts';

beforeEach((context) => {
  if (cannotRun) context.skip(cannotRun);
});

describe('steps', () => {
  test('run in order and end with 0', async () => {
    expect(await runProbe(['out', 'a', 'err', 'b', 'out', 'c'])).toMatchObject({
      code: 0,
      stdout: 'ac',
      stderr: 'b',
    });
  });

  test('end at exit with its code', async () => {
    expect(await runProbe(['exit', '7', 'out', 'never'])).toMatchObject({ code: 7, stdout: '' });
  });

  test.each([
    [['nonsense'], 'nonsense'],
    [['out'], 'out'],
    [['write', '/tmp/x'], 'write'],
    [['try'], 'try'],
    [['try', 'nonsense'], 'nonsense'],
    [['sleep', '1s'], 'sleep'],
    [['exit', '256'], 'exit'],
    [['exit', ''], 'exit'],
    [['connect', '127.0.0', '80'], 'connect'],
    [['connect', '127.0.0.256', '80'], 'connect'],
  ])('%j is wrong usage', async (steps, verb) => {
    expect(await runProbe(steps)).toMatchObject({ code: 124, stdout: '', stderr: `probe: usage: ${verb}\n` });
  });

  test('a wrong step is noticed only when it is reached', async () => {
    expect(await runProbe(['out', 'first', 'nonsense'])).toMatchObject({ code: 124, stdout: 'first' });
  });

  test('a failing step ends the probe with its error number, unless it is tried', async () => {
    expect(await runProbe(['read', '/no-such-file', 'out', 'never'])).toMatchObject({
      code: 125,
      stdout: '',
      stderr: 'probe: read: error 2\n',
    });
    expect(await runProbe(['try', 'read', '/no-such-file', 'try', 'out', 'on'])).toMatchObject({
      code: 0,
      stdout: 'error 2\non',
    });
  });

  test('a reader that has gone is an error', async () => {
    const shell = new Running('/bin/sh', ['-c', '{ "$0" out-fill 10000000; echo "$?" >&2; } | head -c 1', probePath]);
    expect((await shell.end()).stderr).toBe('probe: out-fill: error 32\n125\n');
  });
});

describe('output and input', () => {
  test('texts know escapes', async () => {
    const { stdout } = await runProbe(['out', '\\n\\r\\t\\\\\\x00\\xfF|\\q\\x1|\\']);
    expect(stdout).toBe('\n\r\t\\\x00\xff|\\q\\x1|\\');
  });

  test('fill writes the alphabet over and over', async () => {
    const { stdout, stderr } = await runProbe(['out-fill', '150000', 'err-fill', '30']);
    expect(stdout).toBe('abcdefghijklmnopqrstuvwxyz'.repeat(6000).slice(0, 150_000));
    expect(stderr).toBe('abcdefghijklmnopqrstuvwxyzabcd');
  });

  test('echo-line takes no more than its line', async () => {
    expect((await runProbe(['echo-line', 'out', '|', 'count'], 'one\ntwo\nthree')).stdout).toBe('one\n|9\n');
    expect((await runProbe(['echo-line', 'out', '|', 'echo-line'], 'part')).stdout).toBe('part|');
  });

  test('echo copies to the end of the input', async () => {
    const text = '\x00\xff'.repeat(100_000);
    expect((await runProbe(['echo'], text)).stdout).toBe(text);
  });
});

describe('signals', () => {
  test.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGUSR1', 138],
    ['SIGUSR2', 140],
    ['SIGALRM', 142],
    ['SIGTERM', 143],
  ] as const)('%s ends the probe with %i', async (signal, code) => {
    const probe = startProbe('out', 'ready', 'forever');
    await probe.printed('ready');
    probe.kill(signal);
    expect(await probe.ended()).toMatchObject({ code, signal: null });
  });

  test('without steps the probe waits for ever', async () => {
    const probe = startProbe();
    await setTimeout(300);
    expect(probe.isOver).toBe(false);
    probe.kill('SIGTERM');
    expect(await probe.ended()).toMatchObject({ code: 143, signal: null });
  });

  test('caught signals are queued in order, through sleep', async () => {
    const probe = startProbe('catch', 'out', 'ready\\n', 'wait-signal', 'sleep', '300', 'wait-signal', 'exit', '3');
    await probe.printed('ready');
    probe.kill('SIGTERM');
    await probe.printed('signal 15\n');
    probe.kill('SIGUSR1');
    expect(await probe.ended()).toMatchObject({ code: 3, stdout: 'ready\nsignal 15\nsignal 10\n' });
  });

  test('an ignored signal does nothing', async () => {
    const probe = startProbe('ignore', '15', 'out', 'ready', 'echo');
    await probe.printed('ready');
    probe.kill('SIGTERM');
    expect(await probe.end()).toMatchObject({ code: 0, signal: null });
    expect((await runProbe(['ignore', '9'])).stderr).toBe('probe: ignore: error 22\n');
  });
});
