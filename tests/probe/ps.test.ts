import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cannotRun, Running, startProbe } from './run-probe.ts';

const ps = fileURLToPath(new URL('../../harness/probe/bin/ps-linux-amd64', import.meta.url));

async function run(...args: readonly string[]) {
  return new Running(ps, args).end();
}

function rowOf(output: string, pid: string, place: number): string[] | undefined {
  const rows = output.split('\n').map((line) => line.split(' '));
  return rows.find((row) => row[place] === pid);
}

test.skipIf(cannotRun)('lists processes with user, parent and command', async () => {
  const probe = startProbe('pid', 'echo', 'out', 'never read');
  await probe.printed('\n');
  const [pid = '', parent] = probe.stdout.trim().split(' ');
  for (const args of [[], ['-ef']]) {
    const { stdout, code } = await run(...args);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe('UID PID PPID C STIME TTY TIME CMD');
    const row = rowOf(stdout, pid, 1);
    expect(row?.slice(0, 7)).toEqual([String(process.getuid?.()), pid, parent, '-', '-', '-', '-']);
    expect(row?.slice(7).join(' ')).toMatch(/\/probe-linux-amd64 pid echo out never read$/);
  }
  const { stdout } = await run('aux');
  expect(stdout.split('\n')[0]).toBe('USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND');
  expect(rowOf(stdout, pid, 1)?.slice(10).join(' ')).toMatch(/ pid echo out never read$/);
  await probe.end();
});

test.skipIf(cannotRun)('leaves itself out', async () => {
  const itself = new Running(ps, []);
  const { stdout } = await itself.end();
  // By its number: other processes may have its name in their commands, as compilers of it have.
  expect(rowOf(stdout, String(itself.pid), 1)).toBeUndefined();
  expect(rowOf(stdout, String(process.pid), 1)).toBeDefined();
});

test.skipIf(cannotRun)('refuses other arguments', async () => {
  expect(await run('-o', 'pid')).toMatchObject({ code: 1, stdout: '', stderr: 'ps: takes -ef or aux\n' });
});
